import Crypto
import Essentials
import PlatformKit
import SQLite

/// What a device encrypted, handed on by a server in front of this one with the names of its keys.
struct EnclosedRequest: Sendable {
    let version: ProtocolVersion
    let applicationKey: String
    /// Nil in application scope.
    let activationID: String?
    let json: JSONValue

    /// Reads `applicationKey`, `activationId` in activation scope, and the version; the encrypted members are read when it is opened.
    ///
    /// - Parameter versionName: of the member with the version.
    init(
        _ input: Members, _ scope: EnvelopeScope,
        version versionName: String = "protocolVersion"
    ) throws {
        applicationKey = try input.text("applicationKey")
        activationID = scope == .activation ? try input.text("activationId") : nil
        let version = try input.optionalText(versionName).flatMap(ProtocolVersion.init(rawValue:))
        if version == nil { try input.refuse(versionName, "3.0, 3.1, 3.2 or 3.3") }
        self.version = version ?? .v33
        json = .object(input.values)
    }
}

extension PowerAuth {
    /// One turn of the management API that does what a device asked for: its refusals are told in the words of this API.
    func enclosed<Value: Sendable>(_ body: (Turn) throws -> Value) throws -> Value {
        try change { turn in
            do {
                return try body(turn)
            } catch let error as MobileRefusal {
                throw ManagementRefusal(error)
            } catch let refusal as EnvelopeRefusal {
                throw ManagementRefusal(refusal)
            }
        }
    }

}

extension Encryption {
    /// Opens it, and does `body` with what was in it. It stays remembered, also when `body` refuses.
    ///
    /// - Throws: ``EnvelopeRefusal``, or what `body` throws.
    func open<Value>(
        _ request: EnclosedRequest, _ purpose: EnvelopePurpose, in turn: Turn,
        _ body: (OpenedEnvelope) throws -> Value
    ) throws -> Value {
        let sender = try sender(
            request.version, key: request.applicationKey, activation: request.activationID, purpose.scope,
            in: turn)
        return try open(request.json, from: sender, purpose, in: turn, body)
    }

    /// An encrypted answer with further members beside it.
    func enclosed(
        _ plaintext: JSONValue, answering opened: OpenedEnvelope, _ members: [String: JSONValue] = [:]
    ) throws -> [String: JSONValue] {
        let sealed = try seal(plaintext.bytes, in: opened.envelope)
        return members.merging(sealed.json.object ?? [:]) { own, _ in own }
    }
}
