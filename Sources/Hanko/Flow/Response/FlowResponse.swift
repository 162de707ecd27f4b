import Essentials
import HTTP

/// A state as the client sees it.
struct FlowResponse: Sendable, Equatable {
    let flowID: String
    let kind: FlowKind
    let state: FlowState
    let payload: [String: JSONValue]
    let csrfToken: String
    let actions: [Action]
    let error: FlowRefusal?
    /// What the journal says of the error, for clients of a server in debug mode.
    let cause: String?

    struct Action: Sendable, Equatable {
        let name: String
        let description: String
        let inputs: [FlowInput]
        /// What came in, where the answer shows the same action again.
        let submitted: FlowForm?
        let errors: [String: FlowInputRefusal]
    }

    var status: Status { error?.status ?? .ok }

    /// Source: Hanko 2.7, Flow API. Every member stands in every answer, empty ones too, because clients do not ask whether it
    /// is there.
    var bytes: [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("name", .string(state.rawValue))
        writer.add("status", .integer(status.code))
        writer.add("payload", .object(payload))
        writer.add("csrf_token", .string(csrfToken))
        writer.add("actions", .object(Dictionary(actions.map { ($0.name, json($0)) }) { first, _ in first }))
        writer.add("error", error?.json(cause: cause))
        writer.add("links", .null)
        return writer.bytes
    }

    private func json(_ action: Action) -> JSONValue {
        [
            // Without host and mount: clients put it behind the base URL of the API.
            "href": .string("/\(kind.rawValue)?action=\("\(action.name)@\(flowID)".percentEncoded)"),
            "inputs": .object(
                Dictionary(action.inputs.map { ($0.name, $0.json(action)) }) { first, _ in first }),
            "action": .string(action.name),
            "description": .string(action.description),
        ]
    }
}

extension FlowRefusal {
    fileprivate func json(cause: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["code": .string(code), "message": .string(message)]
        members["cause"] = cause.map(JSONValue.string)
        return .object(members)
    }
}

extension FlowInput {
    fileprivate func json(_ action: FlowResponse.Action) -> JSONValue {
        var members: [String: JSONValue] = ["name": .string(name), "type": .string(kind.rawValue)]
        if isPreserved { members["value"] = action.submitted?.members[name] ?? .null }
        members["min_length"] = minLength.map(JSONValue.integer)
        members["max_length"] = maxLength.map(JSONValue.integer)
        members["required"] = isRequired.map(JSONValue.boolean)
        members["hidden"] = isHidden.map(JSONValue.boolean)
        members["allowed_values"] = choices.map { choices in
            .array(choices.map { ["value": .string($0.value), "name": .string($0.name)] })
        }
        members["error"] = action.errors[name].map {
            ["code": .string($0.code), "message": .string($0.message)]
        }
        return .object(members)
    }
}

extension Response {
    static func flow(_ flow: FlowResponse) -> Response {
        Response(status: flow.status, headers: jsonHeaders, body: flow.bytes + [UInt8(ascii: "\n")])
    }

    /// An error that came before there was a flow to show: no payload, an empty token, which leaves the flow's own one good.
    static func flowRefused(_ refusal: FlowRefusal) -> Response {
        var writer = JSONObjectWriter()
        writer.add("name", .string(FlowState.error.rawValue))
        writer.add("status", .integer(refusal.status.code))
        writer.add("csrf_token", "")
        writer.add("actions", .object([:]))
        writer.add("error", refusal.json())
        writer.add("links", .null)
        return Response(
            status: refusal.status, headers: jsonHeaders, body: writer.bytes + [UInt8(ascii: "\n")])
    }

    private static let jsonHeaders: Headers = ["Content-Type": "application/json"]
}
