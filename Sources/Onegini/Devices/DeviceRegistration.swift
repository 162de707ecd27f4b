import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// How an installation of an application becomes a device, and what it is told at each start.
///
/// Source: the device protocol.
struct DeviceRegistration: Sendable {
    let registry: DeviceRegistry

    init(_ registry: DeviceRegistry) { self.registry = registry }

    private var world: World { registry.world }
    private var services: Services { world.services }

    /// A challenge for an installation that may register, which waits for its response.
    func challenge(
        _ asked: AskedVersion, osVersion: String?
    ) throws -> (pending: PendingRegistration, version: ApplicationVersion) {
        try world.change { turn in
            let version = try registrable(asked, osVersion: osVersion, in: turn.db).version
            let pending = PendingRegistration(
                identifier: services.entropy.uuid(for: "onegini.registration"),
                challenge: Hex.encode(services.entropy.bytes(32, "onegini.challenge")),
                application: asked.application, platform: asked.platform, version: asked.version,
                osVersion: osVersion, wrongResponses: 0,
                expiresAt: turn.now + Double(PendingRegistration.lifetimeSeconds))
            try turn.insert(pending)
            return (pending, version)
        }
    }

    /// The configuration under which a device may register.
    private func registrable(
        _ asked: AskedVersion, osVersion: String?, in db: Connection
    ) throws -> (application: ApplicationSettings, version: ApplicationVersion) {
        let found = try configured(asked, in: db)
        guard found.version.status == .full else {
            throw DeviceRegistrationRefusal.registrationDisabled(
                version: asked.description, status: found.version.status)
        }
        if let fault = found.version.fault(ofOSVersion: osVersion) {
            throw DeviceRegistrationRefusal.osVersionBlocked(fault: fault, isValidation: false)
        }
        return found
    }

    private func configured(
        _ asked: AskedVersion, in db: Connection
    ) throws -> (application: ApplicationSettings, version: ApplicationVersion) {
        guard let application = try db.application(asked.application) else {
            let names = try db.applications().map(\.identifier).joined(separator: ", ")
            throw DeviceRegistrationRefusal.versionUnknown(
                asked.description, known: "Configured applications: \(names.isEmpty ? "none" : names).")
        }
        guard let version = application.version(asked.version, on: asked.platform) else {
            let names = application.versions.map { "\($0.platform.rawValue) \($0.name)" }
                .joined(separator: ", ")
            throw DeviceRegistrationRefusal.versionUnknown(
                asked.description, known: "Configured versions: \(names.isEmpty ? "none" : names).")
        }
        return (application, version)
    }

    /// Takes the response to a challenge. Five that are not right drop it.
    ///
    /// - Throws: ``DeviceRegistrationRefusal``; a wrong response stays counted.
    func register(_ input: RegistrationInput, _ request: Request) throws -> NewDevice {
        try world.change { turn in try register(input, request, turn) }
    }

    private func register(_ input: RegistrationInput, _ request: Request, _ turn: Turn) throws -> NewDevice {
        let (db, now) = (turn.db, turn.now)
        guard
            let pending = try turn.first(
                PendingRegistration.self, where: "identifier = \(input.identifier)")
        else { throw DeviceRegistrationRefusal.identifierUnknown(input.identifier) }
        guard now < pending.expiresAt else {
            let seconds = now.seconds(since: pending.expiresAt)
            throw turn.kept(DeviceRegistrationRefusal.identifierExpired(pending.identifier, seconds: seconds))
            {
                try $0.delete(pending)
            }
        }
        let asked = AskedVersion(
            application: pending.application, platform: pending.platform, version: pending.version)
        let (application, version) = try registrable(
            asked, osVersion: input.osVersion ?? pending.osVersion, in: db)
        if let refusal = refusal(of: input.response, to: pending, application, version, at: now) {
            throw turn.kept(refusal) { try count(pending, $0) }
        }
        try turn.delete(pending)
        let new = registry.newDevice(
            application, version, name: input.name, model: input.model,
            osVersion: input.osVersion ?? pending.osVersion)
        try registry.server.clients.insert(new.client, in: db)
        try db.insert(new.device)
        try db.insert(
            Event(
                .dynamicRegSuccess, clientID: new.client.id, application: application.identifier, request,
                services))
        turn.note(
            "device registered", about: new.device.clientID,
            "The device “\(new.device.name)” is registered for \(application.identifier) "
                + "\(new.device.version) on \(new.device.platform.rawValue).")
        return new
    }

    private func count(_ pending: PendingRegistration, _ turn: Turn) throws {
        var pending = pending
        pending.wrongResponses.increment()
        if pending.wrongResponses >= PendingRegistration.maxWrongResponses {
            try turn.delete(pending)
        } else {
            try turn.update(pending)
        }
    }

    private func refusal(
        of text: String, to pending: PendingRegistration, _ application: ApplicationSettings,
        _ version: ApplicationVersion, at now: Date
    ) -> DeviceRegistrationRefusal? {
        if version.integrityCheck == .none { return nil }
        let response = RegistrationResponse(
            challenge: Hex.decode(pending.challenge) ?? [], text: text, now: now)
        switch response.verdict(for: version.signatures) {
        case .right: return nil
        case .clockOff(let minutes): return .clockOff(minutes: minutes, now: now)
        case .wrong:
            let others = application.versions.filter { $0 != version }
                .map { (version: "\($0.platform.rawValue) \($0.name)", signatures: $0.signatures) }
            return .responseWrong(
                mistake: response.mistake(signatures: version.signatures, others: others),
                signatures: version.signatures.count,
                left: PendingRegistration.maxWrongResponses - pending.wrongResponses - 1)
        }
    }

    /// What an app is told about its settings when it registers and when it starts.
    func configuration(of application: ApplicationSettings) throws -> JSONValue {
        let enrollment = try world.database.read { db in try EnrollmentSettings.current(in: db) }
        let key = try world.serverKey()
        return [
            "max_pin_attempts": .integer(application.maxPINAttempts),
            "pin_policy": application.pinPolicy.json,
            "registration_validity_seconds": application.registrationValidity.map(JSONValue.integer) ?? .null,
            "identity_providers": .array(
                application.identityProviders.map { ["id": .string($0.id), "name": .string($0.name)] }),
            "authenticators": JSONValue(application.authenticators + application.customAuthenticators),
            "mobile_auth_enrollment_enabled": .boolean(enrollment.isEnabled && key != nil),
            "redirect_url": application.redirectURIs.first.map(JSONValue.string) ?? .null,
            "resource_gateway_uris": JSONValue(application.resourceGatewayURIs),
            "server_public_key_fingerprint": key.map { .string($0.fingerprint) } ?? .null,
        ]
    }
}

/// A version of an application, as a device names it.
struct AskedVersion: Sendable, Equatable, CustomStringConvertible {
    var application: String
    var platform: String
    var version: String

    init(application: String, platform: String, version: String) {
        (self.application, self.platform, self.version) = (application, platform, version)
    }

    init(_ members: Members) throws {
        application = try members.text("app_identifier")
        platform = try members.text("app_platform")
        version = try members.text("app_version")
    }

    var description: String {
        "\(application.prefix(100)) \(version.prefix(40)) on \(platform.prefix(40))"
    }
}

/// What a device answers to its challenge.
struct RegistrationInput: Sendable {
    let identifier: String
    let response: String
    let name: String?
    let model: String?
    let osVersion: String?

    init(_ request: Request) throws {
        let members = try Members(request) { DeviceRegistrationRefusal.requestInvalid($0) }
        identifier = try members.text("identifier")
        response = try members.text("ocra_response")
        guard response.utf8.count == 8, response.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw DeviceRegistrationRefusal.requestInvalid(
                "The member “ocra_response” must have 8 digits, found “\(response.prefix(40))”.")
        }
        name = try Self.short("device_name", members)
        model = try Self.short("device_model", members)
        osVersion = try Self.short("os_version", members)
    }

    private static func short(_ name: String, _ members: Members) throws -> String? {
        guard let text = try members.optionalText(name) else { return nil }
        // Code points: a character may be made of any number of them.
        let count = text.unicodeScalars.count
        guard count <= 255 else {
            throw DeviceRegistrationRefusal.requestInvalid(
                "The member “\(name)” has \(count) characters; at most 255 are taken.")
        }
        return text
    }
}
