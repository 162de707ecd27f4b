import Crypto
package import DeviceKit
import Essentials

// How flows begin and end.
extension NextAuthDevice {
    /// `startSession`: what a camera has read, or a link brought, begins a flow by its kind.
    ///
    /// - Parameter code: the text of a code, its base64url or Base64, or a link with that behind the scheme.
    /// - Throws: ``DeviceError`` for the code of another product.
    package func start(code: String, using services: DeviceServices) throws -> Flow {
        try start(["type": .string(Self.flowType(ofCode: code)), "data": .string(code)], using: services)
    }

    /// Begins the flow of a push.
    package func start(_ message: Message, using services: DeviceServices) throws -> Flow {
        guard ["LOGIN", "TRANSACTION"].contains(message.type) else {
            throw DeviceError("a push of the type \(message.type) begins nothing")
        }
        return try start(
            ["type": .string(message.type), "messageid": .string(message.id)], using: services)
    }

    /// `AppLogin.start`.
    ///
    /// - Parameter serverID: may be left out where the installation has one account.
    package func startAppLogin(serverID: String? = nil, using services: DeviceServices) throws -> Flow {
        var wish: [String: JSONValue] = ["type": "APPLOGIN"]
        wish["serverid"] = serverID.map(JSONValue.string)
        return try start(wish, using: services)
    }

    /// The user agrees to all that the flow asks, and proves the second factor where it is wanted.
    ///
    /// - Parameters:
    ///   - credential: sets the PIN where there is none yet.
    ///   - account: where there are several.
    ///   - isHeadless: an enrolment makes an account without a second factor.
    /// - Throws: ``SDKRefusal`` named `WRONG` or `BLOCKED` for a PIN; the flow lives on after a wrong one, see ``flow(_:using:)``.
    @discardableResult
    package mutating func approve(
        _ flow: Flow, with credential: Credential, account: Int? = nil, isHeadless: Bool = false,
        using services: DeviceServices
    ) throws -> Flow {
        var flow = flow
        while !flow.isOver {
            switch flow.interaction {
            case "CONFIRM" where flow.type == "ENROL":
                flow = try confirmEnrolment(flow, isHeadless: isHeadless, using: services)
            case "CONFIRM": flow = try confirmLogin(flow, account: account, using: services)
            case "CONFIRM_TRANSACTION": flow = try decide(flow, true, using: services)
            case "SET_SECOND_FACTOR", "VERIFY_SECOND_FACTOR":
                flow = try prove(flow, with: credential, using: services)
                try Self.checkResult(flow)
            case nil where flow.type == "APPLOGIN":
                flow = try step(
                    "complete", flow, ["signature": .string(signature(flow))], using: services)
            default: throw DeviceError("the flow waits for \(flow.interaction ?? "nothing")")
            }
        }
        try keep(flow)
        return flow
    }

    /// The user declines: a transaction is answered with a signed no, anything else is cancelled.
    @discardableResult
    package func decline(_ flow: Flow, using services: DeviceServices) throws -> Flow {
        if flow.interaction == "CONFIRM_TRANSACTION" { return try decide(flow, false, using: services) }
        return try step("cancel", flow, [:], using: services)
    }

    /// The flow as it stands, with the newest challenge.
    package func flow(_ id: String, using services: DeviceServices) throws -> Flow {
        try Flow(get("/flows/" + id, using: services))
    }

    /// The kind of flow that a code begins.
    package static func flowType(ofCode code: String) throws -> String {
        var text = code
        if !code.hasPrefix("na1;") {
            let encoded = code.split(separator: ":").last.map(String.init) ?? ""
            let bytes = Base64URL.decode(encoded, allowingPadding: true) ?? Base64.decode(encoded) ?? []
            text = String(decoding: bytes, as: UTF8.self)
        }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let types = ["L": "LOGIN", "E": "ENROL", "S": "TRANSACTION"]
        guard parts.count >= 5, parts[0] == "na1", let type = types[String(parts[1])] else {
            throw DeviceError("“\(code)” is not a code of nextAuth")
        }
        return type
    }

    private func start(_ wish: [String: JSONValue], using services: DeviceServices) throws -> Flow {
        try Flow(
            post("/flows", .object(wish.merging(["config": config.json]) { one, _ in one }), using: services))
    }

    func step(
        _ name: String, _ flow: Flow, _ body: [String: JSONValue], using services: DeviceServices
    ) throws -> Flow {
        try Flow(post("/flows/\(flow.id)/\(name)", .object(body), using: services))
    }

    private static func checkResult(_ flow: Flow) throws {
        guard flow.state != "DONE", let result = flow.result, ["WRONG", "BLOCKED"].contains(result) else {
            return
        }
        throw SDKRefusal(
            .init(result), DeviceResponse(status: 200, body: flow.json.bytes), code: result)
    }

    /// Remembers what came of a flow.
    private mutating func keep(_ flow: Flow) throws {
        guard flow.state == "DONE" else { return }
        if flow.type == "ENROL", let key = newKey { try keepAccount(flow.json.member("account"), key) }
        guard let session = flow.json["session"], !session.isNull else { return }
        let kept = Session(
            id: try session.text("sessionid"), account: try session.number("accountid"),
            isAppLogin: session["applogin"]?.boolean ?? false, webNonce: session["webnonce"]?.string,
            username: try session.text("username"), pingTime: try session.number("pingTime"))
        if kept.isAppLogin { sessions.removeAll(where: \.isAppLogin) }
        if kept.pingTime > 0 { sessions.append(kept) }
    }

    private mutating func keepAccount(_ account: JSONValue, _ key: AccountKey) throws {
        accounts.append(
            Account(
                id: try account.number("accountid"), serverID: try account.text("serverid"),
                username: try account.text("username"), userID: account["userid"]?.string,
                isHeadless: account["headless"]?.boolean ?? false, key: key))
        newKey = nil
    }
}
