import Crypto
import Essentials

/// A decrypted request for an activation.
struct ActivationWish: Sendable {
    enum Kind: String, Sendable {
        case code = "CODE"
        case custom = "CUSTOM"
        case direct = "DIRECT"
        case recovery = "RECOVERY"
    }

    let type: Kind
    /// Who asks, by the type's own names.
    let attributes: [String: String]
    /// Handed back as they came.
    let customAttributes: [String: JSONValue]
    let outer: OpenedEnvelope
    let inner: ActivationLayer

    var application: Application { outer.application }
}

/// What the device says of itself in the key exchange: the inner layer, which the enrollment server hands on as it is.
struct ActivationLayer: Sendable {
    let opened: OpenedEnvelope
    let members: [String: JSONValue]

    /// - Throws: ``MobileRefusal`` for a plaintext that is no object.
    init(_ opened: OpenedEnvelope) throws {
        guard let members = opened.object else {
            throw MobileRefusal(.activation, "The decrypted activationData is not a JSON object.")
        }
        (self.opened, self.members) = (opened, members)
    }

    var application: Application { opened.application }

    var keyExchange: KeyExchange {
        KeyExchange(
            // Empty, which is no point, when it is missing or no Base64.
            devicePoint: members["devicePublicKey"]?.string.flatMap { WireBase64.decode($0) } ?? [],
            name: members["activationName"]?.string,
            platform: members["platform"]?.string?.lowercased() ?? "unknown",
            deviceInfo: members["deviceInfo"]?.string, extras: members["extras"]?.string,
            otp: members["activationOtp"]?.string, externalID: members["externalId"]?.string)
    }
}

/// How an activation begins that no registration was made for.
struct ActivationTerms: Sendable, Equatable {
    /// Whether it is active at once.
    var isCommitted = true
    /// Asked for at the commit.
    var otp: String?
    /// The settings' when nil, as the next.
    var expiresAt: Date?
    var maxFailedAttempts: Int?
}

/// Whose activation it shall be.
enum ActivationIdentity: Sendable, Equatable {
    /// Of a registration that a back end made.
    case code(String)
    case user(String, ActivationTerms)
    case recovery(code: String, puk: String, ActivationTerms)
}

/// What came of it.
struct MadeActivation: Sendable {
    let activation: Activation
    /// Nil unless the application offers recovery and the caller wants it.
    let recovery: RecoveryCode?
}

extension Encryption {
    /// The answer to the key exchange.
    func sealed(_ made: MadeActivation, in layer: ActivationLayer) throws -> EnvelopeResponse {
        var members: [String: JSONValue] = [
            "activationId": .string(made.activation.id),
            "serverPublicKey": .string(Base64.encode(made.activation.serverPoint)),
            "ctrData": .string(Base64.encode(made.activation.counterData?.bytes ?? [])),
        ]
        members["activationRecovery"] = made.recovery.map { code in
            ["recoveryCode": .string(code.code), "puk": .string(code.puks.first?.value ?? "")]
        }
        return try seal(JSONValue.object(members).bytes, in: layer.opened.envelope)
    }
}
