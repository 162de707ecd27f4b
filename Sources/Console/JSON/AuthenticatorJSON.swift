import Crypto
import Essentials
import PlatformKit

/// A software authenticator, as the API gives it.
struct AuthenticatorJSON: Encodable {
    struct Credential: Encodable {
        /// base64url
        let id: String
        let rpId: String
        /// base64url
        let userHandle: String
        let userName: String
        /// Number of a COSE algorithm.
        let algorithm: Int
        let signCount: Int
        /// Whether it has the extension `prf`.
        let prf: Bool
        /// base64url; nil when nothing was written.
        let largeBlob: String?
    }

    let id: String
    let name: String?
    /// Of the phone whose passkeys it keeps.
    let phone: String?
    /// nil for the server's own origin.
    let origin: String?
    let behaviour: JSONValue
    let credentials: [Credential]
    let createdAt: String

    init(_ kept: KeptAuthenticator) throws {
        (id, name, phone, origin) = (kept.id, kept.name, kept.phone, kept.origin)
        behaviour = try AuthenticatorBehaviour(kept).json
        credentials = kept.credentials.map { credential in
            Credential(
                id: Base64URL.encode(credential.id), rpId: credential.relyingPartyID,
                userHandle: Base64URL.encode(credential.userHandle), userName: credential.userName,
                algorithm: credential.algorithm, signCount: credential.signCount,
                prf: credential.credRandom != nil,
                largeBlob: credential.largeBlob.map { Base64URL.encode($0) })
        }
        createdAt = Timestamp.text(kept.createdAt)
    }
}
