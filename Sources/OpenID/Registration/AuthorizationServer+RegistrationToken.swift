import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Refuses a registration without the token that the fixtures demand. Source: RFC 7591 §3.
    func requireInitialToken(_ request: Request) throws {
        guard let expected = try settings().initialAccessToken else { return }
        guard let token = request.bearer else { throw RegistrationRefusal.initialTokenMissing }
        guard constantTimeEqual(Array(token.utf8), Array(expected.utf8)) else {
            throw RegistrationRefusal.initialTokenWrong
        }
    }

    /// The client at whose place the request came, proved by its registration access token, which it brings.
    ///
    /// Source: RFC 7592 §2: whatever is wrong, the answer is the same.
    func requireRegistration(_ request: Request) throws -> (client: Client, token: String) {
        guard let token = request.bearer else { throw RegistrationRefusal.tokenMissing }
        let id = request.parameter("client")
        guard let client = try database.read({ try clients.find(id, in: $0) }) else {
            throw RegistrationRefusal.clientUnknown(id)
        }
        guard let digest = client.registrationDigest else { throw RegistrationRefusal.notRegistered(id) }
        guard constantTimeEqual(Digest.sha256(Array(token.utf8)), digest) else {
            throw RegistrationRefusal.tokenWrong(id)
        }
        return (client, token)
    }
}

extension Request {
    /// What follows `Authorization: Bearer`; nil for another scheme, or none. Source: RFC 6750 §2.1.
    fileprivate var bearer: String? {
        let fields = headers.values(of: "Authorization")
        guard fields.count == 1 else { return nil }
        let parts = fields[0].split(separator: " ", maxSplits: 1)
        guard parts.count == 2, String(parts[0]).equalsIgnoringCase("Bearer") else { return nil }
        return String(parts[1])
    }
}
