import Crypto
import Essentials
import PlatformKit

/// Who asks for an activation: what the outer layer of a request for one says, in either generation.
struct ActivationClaim: Sendable {
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
    let application: Application
    /// The inner layer, encrypted.
    let data: JSONValue

    /// - Parameter object: nil for a plaintext that is none.
    /// - Throws: ``MobileRefusal``.
    init(_ object: [String: JSONValue]?, of application: Application) throws {
        guard let object else { throw Self.refusal("The decrypted request is not a JSON object.") }
        // Documents call it activationType, SDKs send type.
        guard let name = (object["type"] ?? object["activationType"])?.string, let type = Kind(rawValue: name)
        else { throw Self.refusal("The member type must be one of CODE, CUSTOM, DIRECT, RECOVERY.") }
        let input = Members(object, refusingAs: .activation)
        guard let attributes = try input.optionalTextMap("identityAttributes"), !attributes.isEmpty else {
            throw Self.refusal("The member identityAttributes is missing or empty.")
        }
        guard let data = object["activationData"], data.object != nil else {
            throw Self.refusal("The member activationData must be an encrypted object.")
        }
        (self.type, self.attributes) = (type, attributes)
        customAttributes = try input.optionalObject("customAttributes") ?? [:]
        (self.application, self.data) = (application, data)
    }

    private static func refusal(_ explanation: String) -> MobileRefusal {
        MobileRefusal(.activation, explanation)
    }
}

/// A decrypted request for an activation of 3.x.
struct OpenedActivationRequest: Sendable {
    let claim: ActivationClaim
    let outer: OpenedEnvelope
    let inner: ActivationLayer
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

    /// - Throws: ``MobileRefusal`` for a member of another kind.
    func keyExchange() throws -> KeyExchange {
        // Empty, which is no point, when it is missing or no Base64.
        try KeyExchange(
            .point(members["devicePublicKey"]?.string.flatMap { WireBase64.decode($0) } ?? []), members)
    }
}

extension KeyExchange {
    /// - Parameter members: of the inner layer, alike in both generations.
    /// - Throws: ``MobileRefusal`` for a member of another kind.
    init(_ keys: Keys, _ members: [String: JSONValue]) throws {
        let input = Members(members, refusingAs: .activation)
        self.init(
            keys: keys, name: try input.written("activationName"),
            platform: try input.written("platform")?.lowercased() ?? "unknown",
            deviceInfo: try input.written("deviceInfo"), extras: try input.written("extras"),
            otp: try input.written("activationOtp"), externalID: try input.written("externalId"))
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
