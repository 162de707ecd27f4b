import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// End-to-end encryption of requests and their answers.
struct Encryption: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    /// Opens the encrypted body of a request, and does `body` with what was in it. The request stays remembered, also when `body`
    /// refuses. Its keys are named by `X-PowerAuth-Encryption`, or by `X-PowerAuth-Authorization` where the request is signed as well.
    ///
    /// The checks come in the protocol's order: header, application, activation, members, temporary key, time, replay, MAC.
    ///
    /// - Parameters:
    ///   - kind: how the client hears of a failure.
    ///   - known: an activation that the turn has read already.
    /// - Throws: ``MobileRefusal``, or what `body` throws.
    func open<Value>(
        _ request: Request, _ purpose: EnvelopePurpose, refusingAs kind: MobileRefusal.Kind = .encryption,
        knowing known: Activation? = nil, in turn: Turn, _ body: (OpenedEnvelope) throws -> Value
    ) throws -> Value {
        do {
            let sender = try sender(of: request, purpose.scope, knowing: known, in: turn)
            return try open(EncryptedRequest.json(of: request), from: sender, purpose, in: turn, body)
        } catch let refusal as EnvelopeRefusal {
            throw MobileRefusal(kind, because: refusal)
        }
    }

    /// Encrypts an answer: status 200, the encrypted members alone as its body.
    func sealed(_ plaintext: JSONValue, answering opened: OpenedEnvelope) throws -> Response {
        Response(
            headers: ["Content-Type": "application/json"],
            body: try seal(plaintext.bytes, in: opened.envelope).bytes)
    }

    func seal(_ plaintext: [UInt8], in envelope: Envelope) throws -> EnvelopeResponse {
        try envelope.seal(
            plaintext, nonce: try Nonce(world.services.entropy.bytes(Nonce.count, "powerauth.envelope")),
            milliseconds: world.services.clock.now().unixMilliseconds)
    }
}

// MARK: - Whom it comes from

extension Encryption {
    /// Whom an encrypted request comes from: an application, or one activation of it.
    struct Sender {
        let version: ProtocolVersion
        let application: Application
        let applicationVersion: ApplicationVersion
        let activation: Activation?
        /// The layer around this one, whose key is that of this one as well.
        var outer: OpenedEnvelope?
    }

    /// - Throws: ``EnvelopeRefusal``.
    private func sender(
        of request: Request, _ scope: EnvelopeScope, knowing known: Activation?, in turn: Turn
    ) throws -> Sender {
        let header = try EncryptionHeader(of: request)
        guard case .three(let version) = header.version else {
            throw EnvelopeRefusal.versionOutOfPlace(header.version, expected: "3.0 to 3.3")
        }
        // A signed request names its activation, whatever it is encrypted for.
        let isUnexpected =
            scope == .application && header.activationID != nil
            && request.headers[EncryptionHeader.name] != nil
        return try sender(
            version, key: header.applicationKey, activation: header.activationID, scope,
            isUnexpected: isUnexpected, knowing: known, in: turn)
    }

    /// - Parameters:
    ///   - id: of the activation; not looked at in application scope.
    ///   - isUnexpected: whether an activation is named where none may be.
    /// - Throws: ``EnvelopeRefusal``.
    func sender(
        _ version: ProtocolVersion, key: String, activation id: String?, _ scope: EnvelopeScope,
        isUnexpected: Bool = false, knowing known: Activation? = nil, in turn: Turn
    ) throws -> Sender {
        let (application, applicationVersion) = try EncryptedRequest.application(key, in: turn.db)
        guard !isUnexpected else { throw EnvelopeRefusal.activationUnexpected }
        return Sender(
            version: version, application: application, applicationVersion: applicationVersion,
            activation: scope == .activation ? try holder(id, knowing: known, of: application, in: turn) : nil
        )
    }

    private func holder(
        _ id: String?, knowing known: Activation?, of application: Application, in turn: Turn
    ) throws -> Activation {
        guard let id else { throw EnvelopeRefusal.activationMissing }
        guard let activation = try Activation.find(id, knowing: known, in: turn.db),
            let generation = activation.generation
        else {
            throw EnvelopeRefusal.activationUnknown(id)
        }
        turn.concern(activation)
        guard activation.masterSecret != nil else {
            throw EnvelopeRefusal.activationOfOtherProtocol(id, generation)
        }
        guard activation.application == application.id else {
            throw EnvelopeRefusal.activationForeign(id, application: application.id)
        }
        guard activation.state(at: turn.now) == .active else {
            throw EnvelopeRefusal.activationNotActive(id, activation.state(at: turn.now))
        }
        return activation
    }
}

// MARK: - What is in it

extension Encryption {
    /// Opens one layer, and does `body` with what was in it. The request stays remembered, also when `body` refuses.
    ///
    /// - Throws: ``EnvelopeRefusal``, or what `body` throws.
    func open<Value>(
        _ json: JSONValue, from sender: Sender, _ purpose: EnvelopePurpose, in turn: Turn,
        _ body: (OpenedEnvelope) throws -> Value
    ) throws -> Value {
        let opened = try opened(json, from: sender, purpose, in: turn)
        // Once it is known to be right: the memory is limited, and no stranger shall push out of it what came before.
        let presented = try presented(opened.envelope.request, sender.activation?.id, in: turn)
        return try turn.lasting({ try presented?.rememberEnvelope(in: $0) }) { try body(opened) }
    }

    private func opened(
        _ json: JSONValue, from sender: Sender, _ purpose: EnvelopePurpose, in turn: Turn
    ) throws -> OpenedEnvelope {
        var used: SecretScalar?
        do {
            let request = try EnvelopeRequest(json, sender.version)
            let key = try privateKey(for: request, from: sender, in: turn)
            used = key
            try checkTime(of: request, in: turn)
            let envelope = try Envelope.open(
                request, privateKey: key, purpose: purpose, binding: binding(of: sender))
            return OpenedEnvelope(
                envelope: envelope, privateKey: key, application: sender.application,
                applicationVersion: sender.applicationVersion, activation: sender.activation)
        } catch let fault as ProtocolFault {
            let found = try used.map { try wrong(json, sender, purpose, $0, in: turn) }
            throw EnvelopeRefusal.undecipherable(fault, purpose, sender.version) { found?.finding }
        }
    }

    private func wrong(
        _ json: JSONValue, _ sender: Sender, _ purpose: EnvelopePurpose, _ key: SecretScalar, in turn: Turn
    ) throws -> WrongEnvelope {
        let keys = try sender.activation?.derivedKeys()
        return WrongEnvelope(
            json: json, version: sender.version, purpose: purpose, privateKey: key,
            applicationKey: sender.applicationVersion.key, secret: sender.applicationVersion.secret,
            activation: sender.activation.flatMap { activation in
                keys.map { (activation.id, $0.transport) }
            }, otherSecrets: try WrongCode.Secret.all(in: turn.db))
    }

    /// What another server needs to open a request, and to seal its answer. The request is remembered as if it had been opened here.
    ///
    /// - Throws: ``EnvelopeRefusal``.
    func decryptor(
        of request: EnvelopeRequest, from sender: Sender, _ purpose: EnvelopePurpose, in turn: Turn
    ) throws -> (keys: EnvelopeKeys, base: [UInt8]) {
        let key = try privateKey(for: request, from: sender, in: turn)
        try checkTime(of: request, in: turn)
        let keys = try EnvelopeKeys(
            ephemeralKey: request.ephemeralKey, privateKey: key, purpose: purpose, version: request.version)
        let base = try binding(of: sender).base
        try presented(request, sender.activation?.id, in: turn)?.rememberEnvelope(in: turn)
        return (keys, base)
    }

    private func binding(of sender: Sender) throws -> EnvelopeBinding {
        let key = try ApplicationKey(sender.applicationVersion.key)
        let secret = try ApplicationSecret(sender.applicationVersion.secret)
        guard let activation = sender.activation, let keys = try activation.derivedKeys() else {
            return EnvelopeBinding(sender.version, key: key, secret: secret)
        }
        return EnvelopeBinding(
            sender.version, key: key, secret: secret, activationID: activation.id, transport: keys.transport)
    }

    private func privateKey(
        for request: EnvelopeRequest, from sender: Sender, in turn: Turn
    ) throws -> SecretScalar {
        if let outer = sender.outer, outer.envelope.request.temporaryKeyID == request.temporaryKeyID {
            return outer.privateKey
        }
        guard let id = request.temporaryKeyID else {
            guard let activation = sender.activation else {
                return try world.masterScalar(of: sender.application)
            }
            return SecretScalar(activation.serverKey.bytes)
        }
        guard let key = try turn.first(TemporaryKey.self, where: "id = \(id)") else {
            throw EnvelopeRefusal.temporaryKeyUnknown(id)
        }
        guard turn.now < key.expiresAt else { throw EnvelopeRefusal.temporaryKeyExpired(id, key.expiresAt) }
        guard key.applicationKey == sender.applicationVersion.key, key.activation == sender.activation?.id,
            key.suite == nil
        else { throw EnvelopeRefusal.temporaryKeyForeign(id, activation: key.activation) }
        return SecretScalar(key.scalar)
    }

    private func checkTime(of request: EnvelopeRequest, in turn: Turn) throws {
        guard let timestamp = request.freshness.timestamp else { return }
        try EncryptedRequest.checkTime(
            timestamp, limit: world.settings(in: turn.db).encryptedRequestSeconds, at: turn.now)
    }

    /// What is remembered of it. Requests before 3.2 have no time: they cannot be told from repeats.
    private func presented(
        _ request: EnvelopeRequest, _ activation: String?, in turn: Turn
    ) throws -> Presented? {
        guard let timestamp = request.freshness.timestamp else { return nil }
        let limit = try world.settings(in: turn.db).encryptedRequestSeconds
        return Presented(
            value: request.replayIdentifier(activationID: activation), kind: .envelope,
            expiresAt: Date(unixMilliseconds: timestamp) + Double(limit))
    }
}

extension Presented {
    fileprivate func rememberEnvelope(in turn: Turn) throws {
        guard try remember(at: turn.now, in: turn.db) else {
            throw EnvelopeRefusal.replayed(key: "ephemeral key")
        }
    }
}

/// An encrypted request that was opened, and what its answer needs.
struct OpenedEnvelope: Sendable {
    let envelope: Envelope
    /// By which it was opened.
    let privateKey: SecretScalar
    let application: Application
    let applicationVersion: ApplicationVersion
    /// Nil in application scope.
    let activation: Activation?

    var plaintext: [UInt8] { envelope.plaintext }
    /// The plaintext as an object; nil when it is none.
    var object: [String: JSONValue]? {
        // Whatever is malformed is a missing member to the endpoints, and each says so in its own words.
        (try? JSONValue(parsing: plaintext))?.object
    }
    var version: ProtocolVersion { envelope.request.version }
}
