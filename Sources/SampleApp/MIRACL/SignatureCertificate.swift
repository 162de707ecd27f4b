import Essentials
import JOSE

/// What MIRACL says of a signature that is right.
struct SignatureCertificate: Decodable {
    /// When it was verified, seconds since 1970.
    let cAt: Int
    let hash: String

    /// - Throws: ``MIRACLLoginError/tokenWrong(_:)``. Source: the vendor's libraries for Go and .NET, which check these two.
    static func check(_ jwt: String, keys: [JWK], hash: String, timestamp: Int, at now: Date) throws {
        do {
            let claims = try JWT.verify(jwt, keys: keys, at: now).decode(SignatureCertificate.self)
            guard claims.hash == hash else {
                throw MIRACLLoginError.tokenWrong(
                    "The certificate is of the hash \(claims.hash), expected \(hash).")
            }
            guard claims.cAt >= timestamp else {
                throw MIRACLLoginError.tokenWrong(
                    "The certificate was made at \(claims.cAt), before the signature's \(timestamp).")
            }
        } catch let error as JOSEError {
            throw MIRACLLoginError.tokenWrong("The certificate is not good: \(error).")
        }
    }
}
