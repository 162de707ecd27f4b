import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/clients`: answers the challenge and gets the credentials of a dynamic client.
    ///
    /// - Request: `{"identifier", "ocra_response": "12345678", "device_name"?, "device_model"?, "os_version"?}`.
    /// - Response: `201` with the members of RFC 7591 §3.2.1, `device_id`, `device_name` and `config`.
    /// - Errors: 400 `invalid_request` 9008, 400 `invalid_registration` 9008, 401 `invalid_ocra_response` 10024, 400
    ///   `invalid_datetime` 9031 with `server_time`; what `clients/challenge` says when the configuration changed meanwhile.
    ///   Five responses that were not right drop the challenge.
    /// - Source: the device protocol.
    func registerDevice(_ request: Request) throws -> Response {
        try auditing(request) {
            let input = try RegistrationInput(request)
            let registered = try world.change { turn in try register(input, request, turn) }
            var members = try registered.members(
                server.backChannel(request) + server.profile.paths.registration[0])
            members["config"] = try deviceConfiguration(of: registered.application)
            return .oauth(.object(members), status: .created)
        }
    }

    private func register(
        _ input: RegistrationInput, _ request: Request, _ turn: Turn
    ) throws -> NewDevice {
        let (db, now) = (turn.db, turn.now)
        guard
            let pending = try turn.first(
                PendingRegistration.self, where: "identifier = \(input.identifier)")
        else { throw DeviceRegistrationRefusal.identifierUnknown(input.identifier) }
        guard now < pending.expiresAt else {
            let seconds = now.wholeSeconds(since: pending.expiresAt)
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
        try server.clients.insert(new.client, in: db)
        try db.insert(new.device)
        try db.insert(
            Event(
                .dynamicRegSuccess, clientID: new.client.id, application: application.identifier, request,
                services))
        turn.note(
            "device registered", about: new.device.clientID,
            "The device \"\(new.device.name)\" is registered for \(application.identifier) "
                + "\(new.device.version) on \(new.device.platform.rawValue).")
        return new
    }

    private func count(_ pending: PendingRegistration, _ turn: Turn) throws {
        var pending = pending
        pending.wrongResponses += 1
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
}

private struct RegistrationInput {
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
                "The member \"ocra_response\" must have 8 digits, found \"\(response.prefix(40))\".")
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
                "The member \"\(name)\" has \(count) characters; at most 255 are taken.")
        }
        return text
    }
}
