import Essentials
import HTTP
import OpenID
import PlatformKit

/// A refusal of this platform. Each area has a type of its own, whose static members are the cases.
protocol MIRACLRefusal: Refusal {
    var wire: MIRACLWire { get }
    /// What a person at a browser sees in the place of ``wire``; nil where a program asked.
    var page: Page? { get }
}

extension MIRACLRefusal {
    var page: Page? { nil }
}

/// How a refusal looks to a client: one shape for all generations. The first two look at the status and log `error` and `message`,
/// the third decodes `error`, `info` and `context`, whose values are all strings.
struct MIRACLWire: Sendable, Equatable {
    var status: Status
    /// Such as `INVALID_AUTH_SESSION`.
    var code: String
    /// For people; nothing decides by it.
    var info: String
    var context: [String: String] = [:]
    var headers: [(name: String, value: String)] = []

    init(_ status: Status, _ code: String, _ info: String, _ context: [String: String] = [:]) {
        (self.status, self.code, self.info, self.context) = (status, code, info, context)
    }

    static var unauthorized: MIRACLWire {
        var wire = MIRACLWire(.unauthorized, "UNAUTHORIZED", "Unauthorized")
        wire.headers = [("WWW-Authenticate", "Basic realm=\"MIRACL\"")]
        return wire
    }

    static func parameter(_ name: String) -> MIRACLWire {
        MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
    }

    static func == (one: MIRACLWire, other: MIRACLWire) -> Bool {
        (one.status, one.code, one.info) == (other.status, other.code, other.info)
            && one.context == other.context && one.headers.elementsEqual(other.headers, by: ==)
    }

    var response: Response {
        var response = Response(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: JSONValue.object([
                "error": .string(code), "info": .string(info), "message": .string(info),
                "context": .object(context.mapValues(JSONValue.string)),
            ]).bytes)
        for (name, value) in headers { response.headers.add(name, value) }
        return response
    }
}
