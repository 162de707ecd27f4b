import Crypto
import Essentials
import PlatformKit
import SQLite

/// What a JWT says that contradicts the access token of which it has the `jti`. A server that signs no nonsense never meets one, unless it
/// is asked for wrong tokens. Source: RFC 9068 §4.
struct AccessTokenFault: Sendable {
    private let type: String?
    fileprivate let claims: JSONValue

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
    /// - Parameter audience: as tokens of the client have it.
    func words(issuer: String, audience: [String], at now: Date) -> String? {
        var faults: [String] = []
        if type?.asciiLowercased != "at+jwt", type?.asciiLowercased != "application/at+jwt" {
            faults.append("its typ is \(type.map(Self.quoted) ?? "missing"), expected at+jwt")
        }
        if claims["iss"]?.string != issuer {
            faults.append("its iss is \(quoted("iss")), expected “\(issuer)”")
        }
        let expected = audience.isEmpty ? [issuer] : audience
        if Set(claims["aud"]?.strings ?? (claims["aud"]?.string).map { [$0] } ?? []) != Set(expected) {
            faults.append("its aud is \(quoted("aud")), expected “\(expected.joined(separator: " "))”")
        }
        let seconds = now.unixSeconds
        if let exp = claims["exp"]?.integer, exp <= seconds {
            faults.append("it expired \(seconds - exp) s ago")
        }
        if let nbf = claims["nbf"]?.integer, nbf > seconds {
            faults.append("it is valid only in \(nbf - seconds) s (nbf)")
        }
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }

    private func quoted(_ claim: String) -> String {
        claims[claim].map { $0.string.map(Self.quoted) ?? $0.text } ?? "missing"
    }

    private static func quoted(_ text: String) -> String { "“\(text.prefix(120))”" }
}

extension AuthorizationServer {
    /// What is wrong with the text of a token that was found by its `jti`, as part of a sentence; nil for what is as it was issued.
    func fault(of text: String, _ token: AccessToken, at now: Date) -> String? {
        token.format == .jwt
            ? AccessTokenFault(text)?.words(issuer: token.issuer, audience: token.audience, at: now) : nil
    }

    /// The same of a text whose `jti` nobody knows: what is strange for a token of its client.
    func fault(ofUnknown text: String, issuer: String) throws -> String? {
        guard let fault = AccessTokenFault(text) else { return nil }
        let client = try fault.claims["client_id"]?.string.flatMap { id in
            try database.read { db in try clients.find(id, in: db) }
        }
        return fault.words(issuer: issuer, audience: client?.metadata.audiences ?? [], at: now)
    }
}
