import Crypto
import DeviceKit
import Essentials
import HTTP
import OneginiDevice
import PlatformKit

extension OneginiApp {
    package static let scans = "the text of a portal's QR code, and links of the app with it"

    package static func recognises(_ text: String) -> Bool { otp(in: text) != nil }
    package static func needsEnrolment(_: String) -> Bool { true }

    /// The OTP object as the server takes it: what the symbol says, or the value of a member of a link.
    ///
    /// Source: the SDK's documentation, “Mobile authentication with OTP”: base64 of JSON with `transaction_id` and a code.
    private static func otp(in text: String) -> String? {
        let values = Link.values(in: text).map { $0.value.replacing(" ", with: "+") }
        return ([text] + values).first { text in
            let missing = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            // What is no base64, or no JSON, is something else.
            guard let bytes = Base64.decode(text.hasSuffix("=") ? text : text + missing),
                let json = try? JSONValue(parsing: bytes)
            else { return false }
            return json["transaction_id"]?.string != nil && json["otp"]?.string != nil
        }
    }

    package func scan(_ text: String, _ typed: TypedIn) throws -> PhoneReport {
        let otp = Self.otp(in: text) ?? text
        let question = try asUser(typing: typed.pin) { try $0.fetch(otp: otp, using: $1) }
        kept?.questions.append(question)
        return PhoneReport(
            "transaction", question.transactionID,
            "the transaction \(question.transactionID), \(question.message), is waiting for an answer.")
    }

    /// Registers the device where that is not done yet, and the person by a login in a browser; then mobile authentication.
    ///
    /// - Parameter user: subject, user name, mail address or telephone number at the token server.
    package func enrol(_ user: String, _ typed: TypedIn, office _: BackOffice) throws -> PhoneReport {
        guard !isEnrolled else {
            throw PhoneRefusal(
                .refused,
                "The app on the phone “\(handset.phone.name)” has its user already; disconnect \(kept?.user ?? "") first."
            )
        }
        try begin(user, typed)
        let pin = try chosenPIN(typed.pin)
        kept?.pin = pin
        try logInByBrowser(user, pin)
        try enrolForMobileAuthentication()
        let id = kept?.device.clientID ?? ""
        return PhoneReport(
            "enrolment", id,
            "the app is registered as \(id), its user is \(user) with the profile \(profile?.id ?? ""); \(mobileState)."
        )
    }

    /// A registered device.
    private func begin(_ user: String, _ typed: TypedIn) throws {
        let built = try built(typed)
        if let device = kept?.device, device.clientID != nil,
            device.configuration.application == built.values["appIdentifier"]
        {
            kept = Kept(mount: built.mount, user: user, pin: "", device: device)
            return
        }
        kept = Kept(
            mount: built.mount, user: user, pin: "",
            device: OneginiDevice(
                .init(
                    application: built.application, platform: handset.phone.model.rawValue,
                    version: built.values["appVersion"] ?? "", signature: built.values["signature"] ?? "",
                    osVersion: handset.phone.model == .ios ? "18.1" : "15")))
        try asking { [handset] in try $0.register(name: handset.deviceName, using: $1) }
    }

    /// The newest version of the application that is for the phone.
    private func built(_ typed: TypedIn) throws -> AppConfiguration {
        guard typed.version == nil else {
            throw PhoneRefusal(.malformed, "The protocol of \(Self.title) has one version; leave it out.")
        }
        let found = handset.configurations.last {
            $0.values["appPlatform"] == handset.phone.model.rawValue
                && (typed.application ?? $0.application) == $0.application
        }
        guard let found else { throw PhoneRefusal.notConfigured(Self.title) }
        return found
    }

    /// What was typed, or else the first of a few that the application allows.
    private func chosenPIN(_ typed: String?) throws -> String {
        try asking { device, services in
            let policy = try device.pinPolicy(using: services)
            let digits = Array(TypedIn.standardPIN + "739164")
            let some = (0..<digits.count).map { start in
                String((0..<policy.length).map { digits[(start + $0) % digits.count] })
            }
            // Those that are not allowed are passed over.
            let pin = typed ?? some.first { (try? policy.check($0)) != nil } ?? some[0]
            try policy.check(pin)
            return pin
        }
    }

    private func logInByBrowser(_ user: String, _ pin: String) throws {
        guard let mount = kept?.mount else { return }
        let scopes = ["openid", "profile"].filter { scope in
            handset.configurations.contains {
                $0.application == kept?.device.configuration.application
                    && ($0.values["scope"] ?? "").split(separator: " ").contains(Substring(scope))
            } || scope == "openid"
        }
        let page = try asking {
            try $0.startLogin(scope: scopes.joined(separator: " "), using: $1)
        }
        try asking { [handset] device, services in
            var browser = LoginBrowser(handset: handset, person: user)
            let landed = try browser.logIn(at: "/" + mount + page)
            try device.finishLogin(redirect: landed, pin: pin, using: services)
        }
    }

    /// Exchanges keys, and tells where pushes go; that pushes are refused does not undo the rest.
    func enrolForMobileAuthentication() throws {
        let key = try handset.newRSAKey().pem()
        try asUser { try $0.enroll(key: key, using: $1) }
        do {
            try asUser { [handset] in try $0.enrollPush(token: handset.pushToken, using: $1) }
            kept?.pushFault = nil
        } catch let refusal as PhoneRefusal {
            kept?.pushFault = [refusal.sdkError, refusal.explanation].compactMap(\.self).joined(
                separator: ": ")
        }
    }

    private var mobileState: String {
        kept?.pushFault.map { "it takes part in mobile authentication by QR code, not by push (\($0))" }
            ?? "it takes part in mobile authentication by QR code and push"
    }
}
