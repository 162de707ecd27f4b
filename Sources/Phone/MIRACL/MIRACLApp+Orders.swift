import DeviceKit
import Essentials
import MIRACLDevice
package import PlatformKit

extension MIRACLApp {
    /// Something that waits for the PIN.
    struct Order: Codable {
        enum Kind: String, Codable, CaseIterable {
            case login, signature, otp, token
            case quickCode = "quick_code"
            /// A login at the app's own back end.
            case appLogin = "applogin"
        }

        let kind: Kind
        /// Access code of a session, or else the word of the kind.
        let id: String
        let title: String
        let message: String
        var details: [String: String] = [:]
    }

    package static let kinds = Order.Kind.allCases.map(\.rawValue)

    /// Sessions that nobody answers make room for others.
    private static let orderLimit = 20

    func add(_ order: Order) -> PhoneReport {
        let others = (kept?.orders ?? []).filter { $0.id != order.id }
        kept?.orders = (others + [order]).suffix(Self.orderLimit)
        return PhoneReport(
            order.kind.rawValue, order.id, "“\(order.title)” is waiting for the PIN as \(order.id).")
    }

    package var requests: [PhoneRequest] {
        (kept?.orders ?? []).map { order in
            PhoneRequest(
                id: order.id, platform: Self.platform, kind: order.kind.rawValue, title: order.title,
                message: order.message,
                details: order.details.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) },
                ways: [.pin])
        }
    }
}

// What is scanned.
extension MIRACLApp {
    package static func recognises(_ text: String) -> Bool { accessCode(in: text) != nil || isOfMail(text) }

    package static func needsEnrolment(_ text: String) -> Bool { accessCode(in: text) != nil }

    private static func accessCode(in text: String) -> String? {
        // What is no code of a session is something else.
        try? MIRACLDevice.accessCode(inQR: text)
    }

    package func scan(_ text: String, _ typed: TypedIn) throws -> PhoneReport {
        guard let code = Self.accessCode(in: text) else { return try scan(mail: text) }
        guard isEnrolled else { throw PhoneRefusal.notEnrolled(handset.phone, sdkError: nil) }
        let details = try asking { kept, services in
            let details = try kept.device.sessionDetails(code, using: services)
            try kept.device.startAuthentication(code, using: services)
            return details
        }
        return add(Self.order(code, details))
    }

    private static func order(_ code: String, _ details: JSONValue) -> Order {
        func told(_ name: String) -> String? {
            details[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        let names = [("hash", "Hash"), ("prerollId", "User"), ("projectName", "Project")]
        let facts = names.compactMap { name, title in told(name).map { (title, $0) } }
        let isSignature = told("hash") != nil
        return Order(
            kind: isSignature ? .signature : .login, id: code,
            title: isSignature ? "Sign a document" : "Sign in to \(told("appName") ?? "an application")",
            message: told("description") ?? "", details: Dictionary(facts) { $1 })
    }

    package func receive(_ push: Message) throws {
        guard push.channel == .push, let content = try? JSONValue(parsing: Array(push.text.utf8)),
            let code = content["qrURL"]?.string
        else {
            throw PhoneRefusal(
                .malformed, "The push says nothing that the app knows: \(push.text.prefix(200))")
        }
        _ = try scan(code, TypedIn())
    }

    /// Nothing announces what waits here but the codes and pushes themselves; a registration may be confirmed by now.
    package func refresh() throws {
        guard isWaiting else { return }
        do {
            _ = try finish()
        } catch let refusal as PhoneRefusal where refusal.sdkError == "IDENTITY_NOT_VERIFIED (8)" {
            // The person has not opened the mail yet.
        }
    }
}

// What the person begins.
extension MIRACLApp {
    package var actions: [ConsoleRecord.Action] {
        guard isEnrolled, let device = kept?.device else {
            return [
                .init(
                    "register", "Register, and wait for the mail",
                    inputs: [
                        .init("protocol", "SDK", choices: MIRACLDevice.Generation.allCases.map(\.rawValue)),
                        .init("pin", "PIN to set up"),
                    ])
            ]
        }
        let isTrust = device.isTrust
        let own =
            isTrust
            ? ConsoleRecord.Action("token", "Token of the login")
            : ConsoleRecord.Action(
                "applogin", "Log in at the app's back end",
                inputs: [.init("authorize_url", "Authorization URL of the back end", isRequired: true)])
        let isClassic = device.configuration.generation == .classic
        return [.init("otp", "One-time password")]
            + (isClassic ? [] : [.init("quick_code", "Code for another phone")]) + [own]
            + [.init("delete_user", "Delete the user from the app", isFinal: true)]
    }

    package func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport {
        switch action {
        case "register": return try startRegistration(inputs)
        case "delete_user":
            let user = kept?.device.userID ?? ""
            kept?.device.forget()
            kept?.orders = []
            return PhoneReport(
                "done", user, "the user \(user) was deleted from the app, which tells no server.")
        case "applogin": return try startAppLogin(inputs["authorize_url"] ?? "")
        default:
            guard let kind = Order.Kind(rawValue: action),
                let known = actions.first(where: { $0.name == action })
            else { throw unknown(action) }
            return add(Order(kind: kind, id: action, title: known.title, message: "Type the PIN."))
        }
    }

    private func startAppLogin(_ url: String) throws -> PhoneReport {
        let (code, details) = try asking { kept, services in
            let code = try kept.device.accessCode(authorizeURL: url, using: services)
            let details = try kept.device.sessionDetails(code, using: services)
            try kept.device.startAuthentication(code, using: services)
            return (code, details)
        }
        let shown = Self.order(code, details)
        return add(
            Order(
                kind: .appLogin, id: code, title: shown.title, message: shown.message, details: shown.details)
        )
    }
}
