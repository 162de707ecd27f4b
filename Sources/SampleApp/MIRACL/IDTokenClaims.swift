import Essentials
import JOSE

/// Who signed in, as a relying party believes it.
struct IDTokenClaims: Decodable {
    let iss: String
    let sub: String
    let aud: JSONValue
    let azp: String?
    let exp: Double
    let nonce: String?
    let email: String?

    /// Clocks that differ by so many seconds are taken for the same.
    private static let leewaySeconds = 30

    /// Checks an ID token in the order of OpenID Connect Core 1.0 §3.1.3.7.
    ///
    /// - Throws: ``MIRACLLoginError/tokenWrong(_:)``.
    static func check(
        _ token: String, keys: [JWK], issuer: String, clientID: String, at now: Date
    ) throws -> IDTokenClaims {
        do {
            // Steps 6, 7, 9 and 10.
            let verified = try JWT.verify(token, keys: keys, at: now, leewaySeconds: leewaySeconds)
            guard verified.header.algorithm == .rs256 else {
                throw MIRACLLoginError.tokenWrong(
                    "The ID token is signed with \(verified.header.algorithm.name), expected RS256.")
            }
            let claims = try verified.decode(IDTokenClaims.self)
            try claims.check(issuer: issuer, clientID: clientID)
            return claims
        } catch let error as JOSEError {
            throw MIRACLLoginError.tokenWrong("The ID token is not good: \(error).")
        }
    }

    private func check(issuer: String, clientID: String) throws {
        // Step 2.
        guard iss == issuer else {
            throw MIRACLLoginError.tokenWrong("The ID token is of the issuer \(iss), expected \(issuer).")
        }
        // Steps 3 to 5.
        let audience = aud.string.map { [$0] } ?? aud.strings ?? []
        guard audience.contains(clientID), audience.count == 1 || azp == clientID else {
            throw MIRACLLoginError.tokenWrong(
                "The ID token is for \(audience.joined(separator: ", ")), expected \(clientID).")
        }
    }
}
