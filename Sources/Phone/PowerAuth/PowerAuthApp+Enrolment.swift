import HTTP
import PlatformKit
import PowerAuthDevice

extension PowerAuthApp {
    package static let scans =
        "activation codes, links with one, recovery codes, links that end a login, and operations in a QR code with or without a network"

    package static func recognises(_ text: String) -> Bool {
        activationCode(in: text) != nil || isEndOfLogin(text) || ScannedOperation(text) != nil
            || OfflineOperation.isOne(text)
    }

    /// A code by itself, or as the value of a member of a link.
    private static func activationCode(in text: String) -> ActivationCode? {
        // What is no code is something else.
        ([text] + Link.values(in: text).map(\.value)).lazy.compactMap { try? ActivationCode(parsing: $0) }
            .first
    }

    package func scan(_ text: String, _ typed: TypedIn) throws -> PhoneReport {
        if let code = Self.activationCode(in: text) {
            guard text.hasPrefix(Self.recoveryPrefix) else {
                return try activate(.code(code.text), built(for: code, typed), typed)
            }
            guard let puk = typed.puk else {
                throw PhoneRefusal(.malformed, "With a recovery code goes its PUK, ten digits.")
            }
            return try activate(.recovery(code: code.text, puk: puk), built(for: nil, typed), typed)
        }
        if Self.isEndOfLogin(text) { return try endLogin(text) }
        if let scanned = ScannedOperation(text) { return try claim(scanned) }
        return try readOffline(text)
    }

    private static let recoveryPrefix = "R:"

    /// - Throws: ``PhoneRefusal``; a phone that has an activation stays with it.
    func activate(
        _ identity: ActivationRequest.Identity, _ fresh: Kept, _ typed: TypedIn
    ) throws -> PhoneReport {
        try checkFree()
        let device = try makeDevice(fresh)
        let request = ActivationRequest(
            identity, name: handset.deviceName, otp: typed.otp,
            deviceInfo: handset.phone.model == .ios ? "iPhone15,2" : "Pixel 8")
        let result = try asking(.sdk) {
            try device.activate(request, pin: fresh.pin, biometry: typed.usesBiometry)
        }
        adopt(device, fresh)
        kept?.recovery = result.recovery.map { [$0.code, $0.puk] }
        try asking(.sdk) {
            try device.confirmActivation(pin: fresh.pin)
            try askStatus()
        }
        return PhoneReport(
            "activation", result.activationID, code: result.fingerprint,
            "the app is activated as \(result.activationID), fingerprint \(result.fingerprint); its state is \(kept?.state ?? "")."
        )
    }

    func checkFree() throws {
        guard !isEnrolled || kept?.state == "REMOVED" else {
            throw PhoneRefusal(
                .refused, sdkError: sdkName("invalidActivationState"),
                "The app on the phone “\(handset.phone.name)” is activated already; take another phone, or remove the activation at the server."
            )
        }
    }

    /// The app that the code is for: the one whose key signed it; of a code that was typed, and without one, the one that is
    /// named, or the first.
    func built(for code: ActivationCode?, _ typed: TypedIn) throws -> Kept {
        let build = try Build(typed.version, sdk: handset.phone.sdk(of: Self.self))
        let apps = try handset.configurations.compactMap { app in
            try app.values[build.configuration].map { (app, $0, try MobileConfiguration(parsing: $0)) }
        }
        let named = apps.filter { typed.application == nil || $0.0.application == typed.application }
        guard !named.isEmpty else { throw PhoneRefusal.notConfigured(Self.title) }
        let signed =
            code?.signature == nil ? named : named.filter { code?.isSigned(by: $0.2) == true }
        guard let (app, configuration, _) = signed.first else {
            throw PhoneRefusal(
                .refused, sdkError: sdkName("invalidActivationCode"),
                "The signature of the activation code belongs to none of the applications \(named.map(\.0.application).joined(separator: ", "))."
            )
        }
        return Kept(
            application: app.application, configuration: configuration, mount: app.mount,
            version: build.version, algorithm: build.algorithm, pin: typed.pin ?? TypedIn.standardPIN)
    }

    package func enrol(_ user: String, _ typed: TypedIn, office: BackOffice) throws -> PhoneReport {
        if let provider = typed.provider { return try beginLogin(provider, typed) }
        let application = typed.application ?? handset.configurations.first?.application
        guard let application else { throw PhoneRefusal.notConfigured(Self.title) }
        let code: String
        let id: String
        do {
            id = try office.make("registration", ["user": user, "application": application])
            code = try office.record(id)?.code ?? ""
        } catch let refusal as any Refusal {
            throw PhoneRefusal(.refused, refusal.explanation)
        }
        let parsed = try asking { try ActivationCode(parsing: code) }
        var report = try activate(.code(parsed.text), built(for: parsed, typed), typed)
        if kept?.state == "PENDING_COMMIT" {
            try office.perform("commit", onRecord: id)
            try refresh()
            report = PhoneReport(
                "activation", id, code: report.code,
                "the app is activated for \(user) as \(id), and a clerk committed it; its state is \(kept?.state ?? "")."
            )
        }
        return report
    }

    /// Reads the state of the activation, as the SDK does after each failure and now and then.
    func askStatus() throws {
        let device = try device()
        let status = try device.status()
        kept?.failedAttempts = status.failedAttempts
        kept?.isUpgradable = status.upgradeVersion == 4 && device.isOfFourth == false ? true : nil
        kept?.state =
            switch status.state {
            case .created: "CREATED"
            case .pendingCommit: "PENDING_COMMIT"
            case .active: "ACTIVE"
            case .blocked: "BLOCKED"
            case .removed: "REMOVED"
            }
        try settle(device)
    }

    /// What the server has not heard, because an answer or a request was lost.
    private func settle(_ device: Device) throws {
        guard ["PENDING_COMMIT", "ACTIVE"].contains(kept?.state) else { return }
        try device.confirmActivation(pin: kept?.pin ?? "")
        try device.confirmUpgrade()
    }
}
