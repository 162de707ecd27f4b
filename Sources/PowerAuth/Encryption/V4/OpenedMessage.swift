import Crypto
import Essentials

/// An encrypted request of protocol 4.0 that was opened, and what its answer needs.
struct OpenedMessage: Sendable {
    let plaintext: [UInt8]
    let request: V4.EncryptedRequest
    /// The reading that fitted.
    let purpose: V4.MessagePurpose
    /// Of the temporary key, 32 bytes.
    let secret: [UInt8]
    let binding: V4.MessageBinding
    let application: Application
    let applicationVersion: ApplicationVersion
    /// Nil in application scope.
    let holder: KeyedActivation?

    /// The plaintext as an object, of nothing an empty one; nil when it is something else.
    var object: [String: JSONValue]? {
        // Whatever is malformed is a missing member to the endpoints, and each says so in its own words.
        plaintext.isEmpty ? [:] : (try? JSONValue(parsing: plaintext))?.object
    }

    /// The members of the encrypted answer.
    ///
    /// - Parameter milliseconds: now, since 1970.
    func sealed(_ answer: JSONValue, milliseconds: Int) throws -> JSONValue {
        try request.answer(
            answer.bytes, purpose.rawValue, secret: secret, binding, milliseconds: milliseconds)
    }
}
