import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// End-to-end encryption of requests of protocol 4.0 and their answers, by a secret that was shared before.
struct AEADEncryption: Sendable {
    let world: World

    /// Opens the encrypted body of a request, and does `body` with what was in it. The request stays remembered, also when `body`
    /// refuses.
    ///
    /// - Parameters:
    ///   - readings: what it may be encrypted for, of one scope; the first that fits counts.
    ///   - kind: how the client hears of a failure.
    ///   - states: those in which an activation may send it.
    /// - Throws: ``MobileRefusal``, or what `body` throws.
    func open<Value>(
        _ request: Request, _ readings: V4.MessagePurpose...,
        refusingAs kind: MobileRefusal.Kind = .encryption,
        states: Set<Activation.State> = [.active], in turn: Turn, _ body: (OpenedMessage) throws -> Value
    ) throws -> Value {
        do {
            let sender = try sender(of: request, readings, states, in: turn)
            return try open(EncryptedRequest.json(of: request), from: sender, readings, in: turn, body)
        } catch let refusal as EnvelopeRefusal {
            throw MobileRefusal(kind, because: refusal)
        }
    }

    /// Opens what another server hands on by its members, and does `body` with what was in it.
    ///
    /// - Throws: ``EnvelopeRefusal``, or what `body` throws.
    func open<Value>(
        _ request: EnclosedMessage, _ purpose: V4.MessagePurpose, in turn: Turn,
        _ body: (OpenedMessage) throws -> Value
    ) throws -> Value {
        let (application, version) = try EncryptedRequest.application(request.applicationKey, in: turn.db)
        let named = try request.activationID.map { try holder($0, of: application, [.active], in: turn) }
        let sender = Sender(application: application, version: version, holder: named)
        return try open(request.json, from: sender, [purpose], in: turn, body)
    }

    /// An encrypted answer for the server in front, with further members beside it.
    func enclosed(
        _ plaintext: JSONValue, answering opened: OpenedMessage, _ members: [String: JSONValue] = [:]
    ) throws -> Response {
        let sealed = try opened.sealed(plaintext, milliseconds: world.services.clock.now().unixMilliseconds)
        return .management(members.merging(sealed.object ?? [:]) { own, _ in own })
    }

    /// Opens a layer inside of one that was opened; it must name the same temporary key.
    ///
    /// - Throws: ``EnvelopeRefusal``, ``MobileRefusal``, or what `body` throws.
    func open<Value>(
        _ json: JSONValue, inside outer: OpenedMessage, _ purpose: V4.MessagePurpose, in turn: Turn,
        _ body: (OpenedMessage) throws -> Value
    ) throws -> Value {
        guard json["temporaryKeyId"]?.string == outer.request.temporaryKeyID else {
            throw MobileRefusal(.activation, "The two layers name different temporary keys.")
        }
        let sender = Sender(
            application: outer.application, version: outer.applicationVersion, holder: nil)
        return try open(json, from: sender, [purpose], in: turn, body)
    }

    /// Encrypts an answer: status 200, the encrypted members alone as its body.
    func sealed(_ plaintext: JSONValue, answering opened: OpenedMessage) throws -> Response {
        let milliseconds = world.services.clock.now().unixMilliseconds
        return Response(
            headers: ["Content-Type": "application/json"],
            body: try opened.sealed(plaintext, milliseconds: milliseconds).bytes)
    }
}

// MARK: - Whom it comes from

extension AEADEncryption {
    private struct Sender {
        let application: Application
        let version: ApplicationVersion
        let holder: KeyedActivation?
    }

    /// - Throws: ``EnvelopeRefusal``.
    private func sender(
        of request: Request, _ readings: [V4.MessagePurpose], _ states: Set<Activation.State>, in turn: Turn
    ) throws -> Sender {
        let header = try EncryptionHeader(of: request)
        guard header.version == .four else {
            throw EnvelopeRefusal.versionOutOfPlace(header.version, expected: V4.version)
        }
        let (application, version) = try EncryptedRequest.application(header.applicationKey, in: turn.db)
        guard readings.first?.scope == .activation else {
            return Sender(application: application, version: version, holder: nil)
        }
        let holder = try holder(header.activationID, of: application, states, in: turn)
        return Sender(application: application, version: version, holder: holder)
    }

    private func holder(
        _ id: String?, of application: Application, _ states: Set<Activation.State>, in turn: Turn
    ) throws -> KeyedActivation {
        guard let id else { throw EnvelopeRefusal.activationMissing }
        guard let activation = try Activation.find(id, in: turn.db), let generation = activation.generation
        else { throw EnvelopeRefusal.activationUnknown(id) }
        turn.concern(activation)
        guard activation.application == application.id else {
            throw EnvelopeRefusal.activationForeign(id, application: application.id)
        }
        guard let holder = try activation.ofFourth(in: turn.db) else {
            throw EnvelopeRefusal.activationOfOtherProtocol(id, generation)
        }
        let state = activation.state(at: turn.now)
        guard states.contains(state) else { throw EnvelopeRefusal.activationNotActive(id, state) }
        return holder
    }
}

// MARK: - What is in it

extension AEADEncryption {
    /// - Throws: ``EnvelopeRefusal``, or what `body` throws.
    private func open<Value>(
        _ json: JSONValue, from sender: Sender, _ readings: [V4.MessagePurpose], in turn: Turn,
        _ body: (OpenedMessage) throws -> Value
    ) throws -> Value {
        let request: V4.EncryptedRequest
        do {
            request = try V4.EncryptedRequest(json)
        } catch let fault as ProtocolFault {
            throw EnvelopeRefusal.unopened(fault, readings.map(\.rawValue)) { nil }
        }
        let key = try temporaryKey(request.temporaryKeyID, of: sender, in: turn)
        try EncryptedRequest.checkTime(
            request.timestamp, limit: world.settings(in: turn.db).protocol4Seconds, at: turn.now)
        let opened = try opened(request, sender, key.scalar, readings, in: turn)
        if let first = readings.first, opened.purpose != first {
            turn.note(
                "protocol 4.0", about: sender.holder?.activation.user,
                "The request is encrypted for “\(opened.purpose.rawValue)”, where the SDK's table has “\(first.rawValue)”; both are "
                    + "taken.")
        }
        // Once it is known to be right: the memory is limited, and no stranger shall push out of it what came before.
        let presented = Presented(
            value: "4 \(request.temporaryKeyID) " + Base64.encode(request.nonce), kind: .envelope,
            expiresAt: key.expiresAt)
        return try turn.lasting({ turn in
            guard try presented.remember(at: turn.now, in: turn.db) else {
                throw EnvelopeRefusal.replayed(key: "temporary key")
            }
        }) { try body(opened) }
    }

    private func temporaryKey(_ id: String, of sender: Sender, in turn: Turn) throws -> TemporaryKey {
        guard let key = try turn.first(TemporaryKey.self, where: "id = \(id)") else {
            throw EnvelopeRefusal.temporaryKeyUnknown(id)
        }
        guard turn.now < key.expiresAt else { throw EnvelopeRefusal.temporaryKeyExpired(id, key.expiresAt) }
        guard key.applicationKey == sender.version.key, key.activation == sender.holder?.activation.id,
            key.suite != nil
        else { throw EnvelopeRefusal.temporaryKeyForeign(id, activation: key.activation) }
        return key
    }

    private func opened(
        _ request: V4.EncryptedRequest, _ sender: Sender, _ secret: [UInt8],
        _ readings: [V4.MessagePurpose], in turn: Turn
    ) throws -> OpenedMessage {
        let binding = try binding(of: sender, secret: sender.version.secret)
        var fault: ProtocolFault?
        for purpose in readings {
            do {
                let plaintext = try request.open(purpose.rawValue, secret: secret, binding)
                return OpenedMessage(
                    plaintext: plaintext, request: request, purpose: purpose, secret: secret,
                    binding: binding, application: sender.application, applicationVersion: sender.version,
                    holder: sender.holder)
            } catch let found as ProtocolFault { fault = fault ?? found }
        }
        let others = try WrongCode.Secret.all(in: turn.db).filter { $0.text != sender.version.secret }
        let wrong = WrongMessage(
            request: request, purposes: readings, secret: secret, binding: binding,
            otherBindings: try others.map { other in
                (
                    "version “\(other.version)” of \(other.application)",
                    try self.binding(of: sender, secret: other.text)
                )
            })
        throw EnvelopeRefusal.unopened(fault ?? .wrong(part: "the tag"), readings.map(\.rawValue)) {
            wrong.finding
        }
    }

    private func binding(of sender: Sender, secret: String) throws -> V4.MessageBinding {
        let (key, secret) = (try ApplicationKey(sender.version.key), try ApplicationSecret(secret))
        guard let holder = sender.holder else { return V4.MessageBinding(key, secret) }
        return try V4.MessageBinding(
            key, secret, activationID: holder.activation.id, sharedInfo2: holder.secrets.keys.sharedInfo2())
    }
}
