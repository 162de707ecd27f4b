import HTTP
import PlatformKit

/// What is wrong with a DPoP proof. Source: RFC 9449 §4.3.
enum DPoPFault: Error, Equatable {
    /// - Parameter why: who demands one.
    case missing(why: String)
    case repeated(Int)
    case unreadable(String)
    case typeWrong(String?)
    case algorithmWrong(String)
    case keyWrong(String)
    case notVerified(String)
    case claimMissing(String)
    case methodWrong(expected: String, found: String)
    case addressWrong(expected: String, found: String)
    case tooOld(seconds: Int)
    case tooNew(seconds: Int)
    case hashWrong(expected: String, found: String)
    case replayed(String)
    case nonceMissing
    case nonceWrong(String)
    /// The proof is sound, and what it comes with is bound to another key.
    case keyDiffers(of: String, expected: String, found: String)
}

/// A request whose DPoP proof is not good enough. Sources: RFC 9449 §5, §7.1, §8, §9.
struct DPoPRefusal: AuditedRefusal, Equatable {
    let fault: DPoPFault
    /// Whether an access token came to a resource; otherwise a client came to this server.
    let isAtResource: Bool
    /// For the next proof, where the server wants one in it.
    var nonce: String?

    var audit: AuditEvent.Kind? { isAtResource ? nil : .grantInvalid }

    var wire: OAuthWire {
        let (error, description) = code
        var headers = nonce.map { [(name: "DPoP-Nonce", value: $0)] } ?? []
        guard isAtResource else { return OAuthWire(.badRequest, error, description, headers: headers) }
        let field = "DPoP error=\"\(error)\", error_description=\"\(description)\", \(Self.algorithms)"
        headers.append(("WWW-Authenticate", field))
        return OAuthWire(.unauthorized, error, description, headers: headers)
    }

    /// `algs` of a challenge. Source: RFC 9449 §7.1.
    static let algorithms = "algs=\"\(DPoPProof.algorithms.joined(separator: " "))\""

    private var code: (error: String, description: String) {
        switch fault {
        case .nonceMissing, .nonceWrong:
            ("use_dpop_nonce", "The DPoP proof must have the nonce of the DPoP-Nonce field")
        case .keyDiffers: (isAtResource ? "invalid_token" : "invalid_grant", "Invalid DPoP key binding")
        case .missing: ("invalid_dpop_proof", "A DPoP proof is missing")
        default: ("invalid_dpop_proof", "The DPoP proof is not valid")
        }
    }

    var explanation: String {
        switch fault {
        case .missing(let why): "The request has no DPoP proof (header field DPoP): \(why)."
        case .repeated(let count):
            "The header field DPoP came \(count) times; once is allowed (RFC 9449 §4.3)."
        case .keyDiffers(let what, let expected, let found):
            "The \(what) is bound to the key with the thumbprint \(expected), and the proof is by \(found): use the key "
                + "with which it was asked for."
        default: "The DPoP proof was refused: \(words)."
        }
    }

    private var words: String {
        switch fault {
        case .unreadable(let reason), .keyWrong(let reason), .notVerified(let reason): reason
        case .typeWrong(let type): "expected the header typ \"dpop+jwt\", found \(type?.prefix(60) ?? "none")"
        case .algorithmWrong(let name):
            "the header alg is «\(name.prefix(60))», expected one of \(DPoPProof.algorithms.joined(separator: ", "))"
        case .claimMissing(let name): "it has no claim \(name), or one of the wrong type"
        case .methodWrong(let expected, let found):
            "its htm is «\(found.prefix(60))», the request's method is \(expected)"
        case .addressWrong(let expected, let found):
            "its htu is «\(found.prefix(300))», the request came to \(expected)"
        case .tooOld(let seconds):
            "its iat is \(seconds) s before this world's clock, \(Int(DPoPProof.mostOld)) s are the most; a clock that was moved has that effect, "
                + "which \"dpop_nonce\": true in the settings avoids"
        case .tooNew(let seconds):
            "its iat is \(seconds) s ahead of this world's clock, \(Int(DPoPProof.mostAhead)) s are the most"
        case .hashWrong(let expected, let found):
            "its ath is «\(found.prefix(60))», the access token that came hashes to \(expected)"
        case .replayed(let id):
            "a proof of this key with the jti «\(id.prefix(100))» was used before; each is good for one request"
        case .nonceMissing:
            "this server wants the nonce of its field DPoP-Nonce in it (dpop_nonce in the settings)"
        case .nonceWrong(let nonce):
            "its nonce «\(nonce.prefix(60))» is not the server's, or too old; take the one of the field DPoP-Nonce"
        default: ""
        }
    }
}
