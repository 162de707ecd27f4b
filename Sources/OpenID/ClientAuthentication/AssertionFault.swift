/// Why a JWT does not prove a client. Source: RFC 7523 §3.
enum AssertionFault: Error, Equatable {
    case unreadable(String)
    case issuerMissing
    /// `iss` and `sub` are not the same client.
    case subjectDiffers(issuer: String, subject: String?)
    case otherClient(issuer: String, clientID: String)
    case algorithmForeign(String, allowed: [String])
    case keysMissing
    case keysUnreachable(url: String, String)
    case keysUnreadable(String)
    case notVerified(String)
    case expiryMissing
    case expiresTooLate(secondsAhead: Int)
    /// Source: FAPI 2.0 Security Profile §5.3.2.1.
    case audienceList(expected: [String])
    case audienceWrong([String], expected: [String])
    case identifierMissing
    case identifierTooLong
    case replayed(String)

    /// What follows “was refused: ”, with its full stop.
    var sentence: String {
        switch self {
        case .unreadable(let reason): "\(reason)."
        case .issuerMissing: "it has no iss, which must be the client id."
        case .subjectDiffers(let issuer, let subject):
            "iss and sub must both be the client id, iss is “\(issuer)”, sub is \(subject.map { "“\($0)”" } ?? "missing")."
        case .otherClient(let issuer, let clientID):
            "it comes from “\(issuer)”, but client_id in the form is “\(clientID)”."
        case .algorithmForeign(let name, let allowed):
            "it is signed with \(name), this client may use \(allowed.joined(separator: ", "))."
        case .keysMissing: "the client has neither jwks nor jwks_uri, so no signature can be checked."
        case .keysUnreachable(let url, let reason): "its keys could not be fetched from \(url): \(reason)."
        case .keysUnreadable(let reason): "the client's keys cannot be read: \(reason)."
        case .notVerified(let reason): "\(reason)."
        case .expiryMissing: "it has no exp."
        case .expiresTooLate(let seconds):
            "it expires \(seconds) s from now by this world's clock; one hour is the most."
        case .audienceList(let expected):
            "aud is a list; by the settings of this server (strict_audience) it must be the text “\(expected.joined())”."
        case .audienceWrong(let found, let expected):
            "aud must contain one of \(expected.joined(separator: ", ")); found "
                + (found.isEmpty ? "none." : found.map { "“\($0)”" }.joined(separator: ", ") + ".")
        case .identifierMissing:
            "it has no jti, which limits it to one use; in an OpenID Connect flow it must have one (OpenID Connect Core 1.0 §9)."
        case .identifierTooLong: "its jti has more than 255 bytes."
        case .replayed(let id):
            "an assertion with the jti “\(id)” was used before; each can be used for one request."
        }
    }
}
