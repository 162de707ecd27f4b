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
    let inner: OpenedEnvelope
    /// Of the inner layer.
    let members: [String: JSONValue]

    var application: Application { outer.application }

    /// As it came; empty, which is no point, when it is missing or no Base64.
    var devicePoint: [UInt8] { members["devicePublicKey"]?.string.flatMap { Base64.decode($0) } ?? [] }
}

/// Whose activation it shall be.
enum ActivationIdentity: Sendable, Equatable {
    /// Of a registration that a back end made.
    case code(String)
    case user(String, isCommitted: Bool)
    case recovery(code: String, puk: String)
}

/// What came of it.
struct MadeActivation: Sendable {
    let activation: Activation
    /// Nil unless the application offers recovery.
    let recovery: RecoveryCode?
}
