import Crypto
import Essentials
import PlatformKit

/// What a JWT says that contradicts the access token of which it has the `jti`. A server that signs no nonsense never meets one, unless it
/// is asked for wrong tokens. Source: RFC 9068 §4.
struct AccessTokenFault: Sendable {
    private let type: String?
    private let claims: JSONValue

    /// Nil for what is no JWT.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]) else {
            return nil
        }
        (type, self.claims) = (header["typ"]?.string, claims)
    }

    private static func object(_ text: Substring) -> JSONValue? {
        // Why it is no JSON does not matter: then it is no JWT.
        Base64URL.decode(text).flatMap { try? JSONValue(parsing: $0) }
    }

    /// The contradictions as part of a sentence; nil where there are none.
    ///
    /// - Parameter token: what was issued; nil where nothing was, so that only times and type can be wrong.
    func words(_ token: AccessToken?, issuer: String, at now: Date) -> String? {
        var faults: [String] = []
        if type?.lowercased() != "at+jwt", type?.lowercased() != "application/at+jwt" {
            faults.append("its typ is \(type.map(Self.quoted) ?? "missing"), expected at+jwt")
        }
        if claims["iss"]?.string != token?.issuer ?? issuer {
            faults.append("its iss is \(quoted("iss")), expected \"\(token?.issuer ?? issuer)\"")
        }
        if let token { faults += audienceFault(token) }
        let seconds = now.wholeSeconds
        if let exp = claims["exp"]?.integer, exp <= seconds { faults.append("it expired \(seconds - exp) s ago") }
        if let nbf = claims["nbf"]?.integer, nbf > seconds {
            faults.append("it is valid only in \(nbf - seconds) s (nbf)")
        }
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }

    /// What the platform says of the audience is the client's or the request's matter; another than that of the token is a fault.
    private func audienceFault(_ token: AccessToken) -> [String] {
        let expected = token.audience.isEmpty ? [token.issuer] : token.audience
        let found = claims["aud"]?.strings ?? (claims["aud"]?.string).map { [$0] } ?? []
        guard Set(found) != Set(expected) else { return [] }
        return ["its aud is \(quoted("aud")), expected \"\(expected.joined(separator: " "))\""]
    }

    private func quoted(_ claim: String) -> String {
        claims[claim].map { $0.string.map(Self.quoted) ?? $0.text } ?? "missing"
    }

    private static func quoted(_ text: String) -> String { "\"\(text.prefix(120))\"" }
}

extension AuthorizationServer {
    /// What is wrong with the text of a token that was found by its `jti`, as part of a sentence; nil for what is as it was issued.
    func fault(of text: String, _ token: AccessToken, at now: Date) -> String? {
        token.format == .jwt
            ? AccessTokenFault(text)?.words(token, issuer: token.issuer, at: now) : nil
    }
}
