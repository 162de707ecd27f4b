import Essentials
import JOSE
import PlatformKit

extension AuthorizationServer {
    /// Reads an ID token of ours; one that has expired will do. Source: OpenID Connect Core 1.0 §3.1.2.1; RP-Initiated Logout 1.0
    /// §2, by both of which the server has to be its issuer.
    ///
    /// - Parameter issuer: as the request that brings it knows us.
    /// - Returns: its claims, or what is wrong with it, as part of a sentence.
    func hintedToken(_ text: String, issuer: String) throws -> Result<HintedToken, HintFault> {
        let keys = try services.keys.published(profile.name).map(\.jwk)
        do {
            let verified = try JWS.verify(text, keys: keys)
            if let type = verified.header.type, type.asciiLowercased.hasSuffix("+jwt") {
                return .failure(HintFault(reason: "its typ is \(type), expected JWT"))
            }
            let token = try verified.decode(HintedToken.self)
            guard try isOwnIssuer(token.iss, of: .init(subject: token.sub), expected: issuer) else {
                let found = token.iss.map { "“\($0.prefix(200))”" } ?? "missing"
                return .failure(
                    HintFault(reason: "its iss is \(found), expected “\(issuer)” of this world"))
            }
            return .success(token)
        } catch let error as JOSEError {
            return .failure(HintFault(reason: "\(error)"))
        }
    }
}
