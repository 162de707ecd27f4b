import Essentials
import OpenID

extension MobileExtension {
    /// Member of a client's vendor settings that holds its ``HashedSecret``.
    static let hashedSecret = "hashed_client_secret"

    func accepts(secret: String, of client: Client) throws -> Bool? {
        guard let text = client.metadata.vendor?[Self.hashedSecret]?.string else { return nil }
        do {
            return try HashedSecret(text).matches(secret)
        } catch is HashedSecret.Fault {
            // Such as bcrypt in a fixture: nobody can prove it.
            return false
        }
    }
}
