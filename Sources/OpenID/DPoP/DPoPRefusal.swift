import HTTP
import PlatformKit

/// What is wrong with a DPoP proof: its static members are the cases. Source: RFC 9449 §4.3.
struct DPoPFault: Error, Equatable {
    enum Kind: Equatable {
        case missing, invalid, nonce
        /// The proof is sound, and what it comes with is bound to another key.
        case otherKey
    }

    let kind: Kind
    let explanation: String

    private init(_ kind: Kind, _ explanation: String) { (self.kind, self.explanation) = (kind, explanation) }

    /// - Parameter words: for the end of a sentence.
    private init(refused words: String, _ kind: Kind = .invalid) {
        self.init(kind, "The DPoP proof was refused: \(words).")
    }
}

extension DPoPFault {
    /// - Parameter why: who demands one.
    static func missing(why: String) -> Self {
        Self(.missing, "The request has no DPoP proof (header field DPoP): \(why).")
    }

    static func repeated(_ count: Int) -> Self {
        Self(.invalid, "The header field DPoP was sent \(count) times; once is allowed (RFC 9449 §4.3).")
    }

    static func unreadable(_ reason: String) -> Self { Self(refused: reason) }

    static func typeWrong(_ type: String?) -> Self {
        Self(refused: "expected the header typ “dpop+jwt”, found \(type?.prefix(60) ?? "none")")
    }

    static func algorithmWrong(_ name: String) -> Self {
        Self(
            refused:
                "the header alg is “\(name.prefix(60))”, expected one of \(DPoPRules.algorithms.joined(separator: ", "))"
        )
    }

    static func keyWrong(_ reason: String) -> Self { Self(refused: reason) }

    static func notVerified(_ reason: String) -> Self { Self(refused: reason) }

    static func claimMissing(_ name: String) -> Self {
        Self(refused: "it has no claim \(name), or one of the wrong type")
    }

    static func methodWrong(expected: String, found: String) -> Self {
        Self(refused: "its htm is “\(found.prefix(60))”, the request's method is \(expected)")
    }

    static func addressWrong(expected: String, found: String) -> Self {
        Self(refused: "its htu is “\(found.prefix(300))”, the request came to \(expected)")
    }

    static func tooOld(seconds: Int) -> Self {
        Self(
            refused:
                "its iat is \(seconds) s before this world's clock, \(Int(DPoPRules.mostOld)) s are the most; "
                + "a clock that was moved has that effect, which \"dpop_nonce\": true in the settings avoids")
    }

    static func tooNew(seconds: Int) -> Self {
        Self(
            refused:
                "its iat is \(seconds) s ahead of this world's clock, \(Int(DPoPRules.mostAhead)) s are the most"
        )
    }

    static func hashWrong(expected: String, found: String) -> Self {
        Self(
            refused: "its ath is “\(found.prefix(60))”, the access token that came hashes to \(expected)")
    }

    static func replayed(_ id: String) -> Self {
        Self(
            refused: "a proof of this key with the jti “\(id.prefix(100))” was used before; "
                + "each can be used for one request")
    }

    static var nonceMissing: Self {
        Self(
            refused:
                "this server requires the nonce of its field DPoP-Nonce in it (dpop_nonce in the settings)",
            .nonce)
    }

    static func nonceWrong(_ nonce: String) -> Self {
        Self(
            refused: "its nonce “\(nonce.prefix(60))” is not the server's, or too old; "
                + "take the one of the field DPoP-Nonce", .nonce)
    }

    static func keyDiffers(of what: String, expected: String, found: String) -> Self {
        Self(
            .otherKey,
            "The \(what) is bound to the key with the thumbprint \(expected), and the proof is by \(found): use the "
                + "key with which it was asked for.")
    }
}

/// A request whose DPoP proof is not good enough. Sources: RFC 9449 §5, §7.1, §8, §9.
struct DPoPRefusal: AuditedRefusal, Equatable {
    let fault: DPoPFault
    /// Whether an access token came to a resource; otherwise a client came to this server.
    let isAtResource: Bool
    /// For the next proof, where the server wants one in it.
    var nonce: String?

    var event: AuditEvent.Kind? { isAtResource ? nil : .grantInvalid }

    var wire: OAuthWire {
        let (error, description) = code
        var headers = nonce.map { [(name: "DPoP-Nonce", value: $0)] } ?? []
        guard isAtResource else { return OAuthWire(.badRequest, error, description, headers: headers) }
        let field = "DPoP error=\"\(error)\", error_description=\"\(description)\", \(Self.algorithms)"
        headers.append(("WWW-Authenticate", field))
        return OAuthWire(.unauthorized, error, description, headers: headers)
    }

    /// `algs` of a challenge. Source: RFC 9449 §7.1.
    static let algorithms = "algs=\"\(DPoPRules.algorithms.joined(separator: " "))\""

    private var code: (error: String, description: String) {
        switch fault.kind {
        case .nonce: ("use_dpop_nonce", "The DPoP proof must have the nonce of the DPoP-Nonce field")
        case .otherKey: (isAtResource ? "invalid_token" : "invalid_grant", "Invalid DPoP key binding")
        case .missing: ("invalid_dpop_proof", "A DPoP proof is missing")
        case .invalid: ("invalid_dpop_proof", "The DPoP proof is not valid")
        }
    }

    var explanation: String { fault.explanation }
}
