import Crypto
import Essentials
import WebAuthn

/// WebAuthn answers of a recording, made again for the options of a world by its software authenticator.
///
/// Source: Web Authentication Level 3 §5.1.8 (`RegistrationResponseJSON`, `AuthenticationResponseJSON`), §5.8.1, §6.1, §6.5.
struct Passkeys {
    /// Options that the world gave, by their challenge.
    private var options: [String: SpelledJSON] = [:]

    /// An answer of a request, with the ids that the recording has and ours.
    struct Again {
        let body: SpelledJSON
        let recordedID: String
        let ourID: String
    }

    /// Whether an answer had options: else nothing needs to be looked into.
    var isAsked: Bool { !options.isEmpty }

    private static let depthLimit = 6

    /// Keeps the options that an answer of the world has.
    mutating func learn(ours body: [UInt8]) {
        // What is no JSON has no options.
        guard body.count < 1 << 20, let json = try? SpelledJSONReader.value(of: body) else { return }
        keep(json, depth: 0)
    }

    private mutating func keep(_ json: SpelledJSON, depth: Int) {
        guard depth < Self.depthLimit else { return }
        if let challenge = json["challenge"]?.string,
            json["rp"]?.members != nil || json["rpId"] != nil || json["allowCredentials"] != nil
        {
            options[challenge] = json
            return
        }
        for member in json.members ?? [] { keep(member.value, depth: depth + 1) }
        for element in json.array ?? [] { keep(element, depth: depth + 1) }
    }

    /// The body with the answer of the world's authenticator in the place of the recorded one.
    ///
    /// - Parameter body: with the values of this world in it, its challenge too.
    /// - Returns: nil where the body has no WebAuthn answer, or one to options that this world did not give.
    /// - Throws: ``Unsendable`` where the authenticator cannot answer.
    func again(_ body: SpelledJSON, from stage: Stage) throws -> Again? {
        try again(body, from: stage, depth: 0)
    }

    private func again(_ json: SpelledJSON, from stage: Stage, depth: Int) throws -> Again? {
        guard depth < Self.depthLimit, let members = json.members else { return nil }
        if let answer = Answer(json) { return try answered(answer, json, from: stage) }
        for (index, member) in members.enumerated() {
            guard let inner = try again(member.value, from: stage, depth: depth + 1) else { continue }
            var changed = members
            changed[index].value = inner.body
            return Again(body: .object(changed), recordedID: inner.recordedID, ourID: inner.ourID)
        }
        return nil
    }

    private func answered(_ answer: Answer, _ json: SpelledJSON, from stage: Stage) throws -> Again? {
        guard let options = options[answer.challenge] else { return nil }
        let made = try stage.passkey(
            PasskeyOrder(
                ceremony: answer.ceremony, options: Array(options.text.utf8),
                origin: Self.origin(answer.origin, options),
                credential: answer.ceremony == .get ? answer.id : nil, role: answer.role))
        guard let ours = try? SpelledJSONReader.value(of: made), let id = ours["id"]?.string else {
            throw Unsendable("the software authenticator gave no credential")
        }
        // A client may send members of its own beside those of the browser, such as a name.
        let others = (json.members ?? []).filter { ours[$0.name] == nil }
        return Again(
            body: .object((ours.members ?? []) + others), recordedID: answer.id, ourID: id)
    }

    /// The recorded one, where this world's relying party can be asked from there.
    private static func origin(_ recorded: String, _ options: SpelledJSON) -> String {
        guard let party = options["rpId"]?.string ?? options["rp"]?["id"]?.string, !party.isEmpty else {
            return recorded
        }
        let host = WebAddress(recorded).map { address in
            String((address.origin.split(separator: "/").last ?? "").prefix { $0 != ":" })
        }
        // Apps have origins of other schemes.
        guard let host, host != party, !host.hasSuffix("." + party) else { return recorded }
        return (party == "localhost" ? "http://" : "https://") + party
    }
}

extension Passkeys {
    /// What a browser's `toJSON()` gives.
    private struct Answer {
        let ceremony: PasskeyOrder.Ceremony
        let id: String
        let challenge: String
        let origin: String
        let role: PasskeyOrder.Role?

        init?(_ json: SpelledJSON) {
            guard let id = json["id"]?.string, let response = json["response"],
                let packed = response["clientDataJSON"]?.string,
                let bytes = Base64URL.decode(packed, allowingPadding: true),
                let client = try? ClientData(bytes)
            else { return nil }
            (self.id, challenge, origin) = (id, client.challenge, client.origin)
            switch client.type {
            case "webauthn.create":
                ceremony = .create
                role = Self.data(response["attestationObject"]).flatMap {
                    Self.role($0, transports: response["transports"] ?? json["transports"])
                }
            case "webauthn.get":
                ceremony = .get
                role = Self.data(response["authenticatorData"]).flatMap { Self.role($0) }
            default: return nil
            }
        }

        private static func data(_ json: SpelledJSON?) -> [UInt8]? {
            json?.string.flatMap { Base64URL.decode($0, allowingPadding: true) }
        }

        // What cannot be read tells nothing of the authenticator.

        private static func role(_ data: [UInt8]) -> PasskeyOrder.Role? {
            guard let flags = try? AuthenticatorData(data).flags else { return nil }
            return PasskeyOrder.Role(
                isUserVerified: flags.contains(.userVerified),
                isBackupEligible: flags.contains(.backupEligible), isBackedUp: flags.contains(.backedUp))
        }

        private static func role(_ object: [UInt8], transports: SpelledJSON?) -> PasskeyOrder.Role? {
            guard let object = try? AttestationObject(object), var role = role(object.authenticatorData),
                let credential = try? AuthenticatorData(object.authenticatorData).credential
            else { return nil }
            role.registration = PasskeyOrder.Registration(
                format: object.format, hasCertificates: object.statement["x5c"] != nil,
                algorithm: credential.publicKey.algorithm.rawValue, aaguid: credential.aaguidText,
                transports: transports?.array?.compactMap(\.string))
            return role
        }
    }
}
