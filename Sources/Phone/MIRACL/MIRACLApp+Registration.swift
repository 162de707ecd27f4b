import DeviceKit
import Essentials
import HTTP
import MIRACLDevice
import PlatformKit

extension MIRACLApp {
    package func enrol(_ user: String, _ typed: TypedIn, office: BackOffice) throws -> PhoneReport {
        try begin(user, typed)
        if let code = typed.otp { return try register(with: code) }
        try askForMail()
        if kept?.isRegistering == false { return try finish() }
        let address = kept?.device.userID ?? ""
        guard let mail = try office.newestMail(to: address), mail.source == Self.platform else {
            throw PhoneRefusal(
                .refused, sdkError: "IDENTITY_NOT_VERIFIED (8)",
                "There is no mail to \(address): the project “\(kept?.device.configuration.project ?? "")” has its users verified by somebody else."
            )
        }
        return try open(mail.link, code: mail.code ?? "")
    }

    /// The app as it was installed, for one user.
    private func begin(_ user: String, _ typed: TypedIn) throws {
        if isEnrolled {
            throw PhoneRefusal(
                .refused,
                "The user \(kept?.device.userID ?? "") is registered on the phone “\(handset.phone.name)” already; delete the user first."
            )
        }
        let named = user.contains("@") ? user : nil
        guard let address = typed.user == nil ? handset.phone.mail ?? named : named else {
            throw PhoneRefusal.mailMissing(handset.phone, Self.title)
        }
        let generation = try Self.generation(typed.version)
        let wanted = handset.configurations.first {
            typed.application == nil || $0.application == typed.application
        }
        guard let project = wanted else { throw PhoneRefusal.notConfigured(Self.title) }
        let configuration = MIRACLDevice.Configuration(
            generation, base: try self.address(of: project.application, at: project.mount),
            project: project.application,
            clientID: generation == .classic ? project.values["clientID"] : nil)
        var device = MIRACLDevice(configuration, userID: address, name: handset.deviceName)
        device.pushToken = handset.pushToken
        kept = Kept(
            mount: project.mount, origin: handset.base, pin: typed.pin ?? TypedIn.standardPIN, device: device)
    }

    private static func generation(_ name: String?) throws -> MIRACLDevice.Generation {
        guard let name else { return .trust }
        guard let generation = MIRACLDevice.Generation(rawValue: name) else {
            let known = MIRACLDevice.Generation.allCases.map(\.rawValue).joined(separator: ", ")
            throw PhoneRefusal(
                .malformed, "The SDK of MIRACL is one of \(known), not “\(name.prefix(40))”.")
        }
        return generation
    }

    private func askForMail() throws {
        kept?.waiting = Patience(since: handset.worldNow)
        try asking { kept, services in
            if kept.device.isTrust {
                _ = try kept.device.askForMail(using: services)
                kept.isRegistering = true
            } else {
                try kept.device.setBackend(using: services)
                try kept.device.startRegistration(using: services)
                // A project may need no mail.
                kept.isRegistering = kept.device.state == .startedRegistration
            }
        }
    }

    /// What a person does with the mail: opens its link, or types its digits.
    private func open(_ link: String?, code: String) throws -> PhoneReport {
        guard kept?.device.isTrust == false else { return try register(with: code) }
        guard let link else {
            throw PhoneRefusal(
                .refused, "The mail has no link, only digits, which the first two SDKs do not ask for.")
        }
        try browse(link)
        return try finish()
    }

    /// Opens the link in the phone's browser, and presses the button behind it.
    private func browse(_ link: String) throws {
        try asking { kept, services in
            let base = kept.device.configuration.base
            guard link.hasPrefix(base + "/"), let query = link.split(separator: "?").last else {
                throw DeviceError("the link of the mail leads elsewhere: \(link)")
            }
            let path = String(link.dropFirst(base.count).prefix { $0 != "?" })
            let form = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
            let answers = [
                try services.send(DeviceRequest(method: "GET", path, query: String(query))),
                try services.send(DeviceRequest(path, headers: form, body: Array(query.utf8))),
            ]
            guard let refused = answers.first(where: { $0.status != 200 }) else { return }
            throw SDKRefusal(.init("IDENTITY_NOT_VERIFIED", 8), refused, code: nil)
        }
    }

    /// Of the first two generations: once the mail is confirmed, fetches the shares and chooses the PIN.
    func finish() throws -> PhoneReport {
        try asking { kept, services in
            try kept.device.confirmRegistration(using: services)
            try kept.device.finishRegistration(pin: kept.pin)
            kept.isRegistering = false
        }
        return registered
    }

    /// - Parameter code: of a mail, of another phone, or an activation token.
    private func register(with code: String) throws -> PhoneReport {
        guard kept?.device.isTrust == true else {
            try asking { kept, services in
                try kept.device.setBackend(using: services)
                try kept.device.startRegistration(activationCode: code, using: services)
            }
            return try finish()
        }
        try asking { kept, services in
            let isToken = code.wholeMatch(of: /[0-9a-f]{32}/) != nil && !kept.isRegistering
            let token = try isToken ? code : kept.device.confirm(code: code, using: services).token
            try kept.device.register(activationToken: token, pin: kept.pin, using: services)
            kept.isRegistering = false
        }
        return registered
    }

    private var registered: PhoneReport {
        let device = kept?.device
        return PhoneReport(
            "activation", device?.identity?.mpinID ?? "",
            "the user \(device?.userID ?? "") is registered with the project \(device?.configuration.project ?? "") by the SDK \(device?.configuration.generation.rawValue ?? "")."
        )
    }

    /// Asks for the mail, and leaves it to somebody to open it.
    func startRegistration(_ inputs: [String: String]) throws -> PhoneReport {
        var typed = TypedIn()
        (typed.version, typed.pin) = (inputs["protocol"], inputs["pin"])
        try begin(handset.phone.owner ?? "", typed)
        try askForMail()
        if kept?.isRegistering == false { return try finish() }
        let user = kept?.device.userID ?? ""
        return PhoneReport("registration", user, "a mail went to \(user), which has to be confirmed.")
    }

    /// The link of a mail that was opened on the phone.
    func scan(mail link: String) throws -> PhoneReport {
        guard kept?.isRegistering == true else {
            throw PhoneRefusal(
                .refused, sdkError: "FLOW_ERROR (6)",
                "No registration is waiting for a mail on the phone “\(handset.phone.name)”.")
        }
        let values = Dictionary(Link.values(in: link)) { first, _ in first }
        return try open(link, code: values["code"] ?? "")
    }

    static func isOfMail(_ text: String) -> Bool {
        let names = Link.values(in: text).map(\.name)
        return text.contains("/verification/confirmation?") && names.contains("code")
            && names.contains("user_id")
    }
}
