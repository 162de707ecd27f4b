import Essentials
import HTTP

/// Somebody who logs in by hand: a person who may be nobody of the fixtures, with claims for this login.
struct TypedLogin: Sendable {
    /// Subject, user name, mail address or telephone number of a user; a new subject otherwise.
    let person: String
    let claims: [String: JSONValue]

    /// Bytes of the claims as JSON.
    static let claimLimit = 16_384
    /// Users of one server; no more are made up.
    static let peopleLimit = 1_000

    /// Nil for a form of another kind.
    ///
    /// - Throws: ``PageFault``.
    init?(_ form: Form) throws(PageFault) {
        guard let person = form["person"] else { return nil }
        self.person = person.trimmed
        // OpenID Connect Core 1.0 §2.
        guard 1...255 ~= self.person.utf8.count, self.person.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw .personMalformed
        }
        claims = try Self.claims((form["claims"] ?? "").trimmed)
    }

    private static func claims(_ text: String) throws(PageFault) -> [String: JSONValue] {
        if text.isEmpty { return [:] }
        guard text.utf8.count <= claimLimit else {
            throw .claimsMalformed("they have \(text.utf8.count) bytes, and \(claimLimit) are the most")
        }
        // The parser's reason is about bytes of a text that was typed.
        guard let claims = (try? JSONValue(parsing: Array(text.utf8)))?.object else {
            throw .claimsMalformed("expected a JSON object such as {\"roles\": [\"admin\"]}")
        }
        let reserved = claims.keys.filter(AccessTokenClaims.reserved.contains).sorted()
        guard reserved.isEmpty else {
            throw .claimsMalformed(
                "\(reserved.joined(separator: ", ")) is what the server itself says in tokens")
        }
        return claims
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
