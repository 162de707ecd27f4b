import Essentials
import JOSE
import PlatformKit

extension AuthorizationServer {
    /// Reads an ID token of ours; one that has expired will do. Source: OpenID Connect Core 1.0 §3.1.2.1; RP-Initiated Logout 1.0
    /// §2.
    ///
    /// - Returns: its claims, or what is wrong with it, as part of a sentence.
    func hintedToken(_ text: String) throws -> Result<HintedToken, HintFault> {
        let keys = try services.keys.published(profile.name).map(\.jwk)
        do {
            let verified = try JWS.verify(text, keys: keys)
            if let type = verified.header.type, type.lowercased().hasSuffix("+jwt") {
                return .failure(HintFault(reason: "its typ is \(type), expected JWT"))
            }
            return .success(try verified.decode(HintedToken.self))
        } catch let error as JOSEError {
            return .failure(HintFault(reason: "\(error)"))
        }
    }
}
