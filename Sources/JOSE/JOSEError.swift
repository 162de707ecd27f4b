/// Every refusal of a token, with what a developer needs to see the cause.
package enum JOSEError: Error, Equatable {
    /// The token, or the named part of it, does not have the form it should have.
    case malformed(part: String, reason: String)
    /// `alg` is `none` or not on the list.
    case algorithmUnsupported(String)
    /// The header demands extensions that are not understood. RFC 7515 §4.1.11
    case extensionsUnsupported([String])
    case keyUnknown(keyID: String?, known: [String])
    /// The key is known and is not for this algorithm.
    case algorithmNotAllowed(String, key: String)
    case keyCannotSign(String)
    case signatureWrong(keyID: String?)
    case expired(secondsAgo: Int)
    case notYetValid(seconds: Int)
    case issuedInFuture(seconds: Int)
}

extension JOSEError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let part, let reason): "the \(part) is malformed: \(reason)"
        case .algorithmUnsupported(let name): "the algorithm “\(name)” is not accepted"
        case .extensionsUnsupported(let names):
            "the header demands extensions that are not supported: \(names.joined(separator: ", "))"
        case .keyUnknown(let keyID, let known):
            (keyID.map { "no key has the id “\($0)”" }
                ?? "the token names no key and none suits its algorithm")
                + "; known: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .algorithmNotAllowed(let name, let key): "the algorithm \(name) is not allowed for the \(key)"
        case .keyCannotSign(let key): "the \(key) cannot sign: its private part is not there"
        case .signatureWrong(let keyID):
            "the signature is wrong for the key \(keyID.map { "“\($0)”" } ?? "without id")"
        case .expired(let seconds): "the token expired \(seconds) s ago"
        case .notYetValid(let seconds): "the token is valid only in \(seconds) s (nbf)"
        case .issuedInFuture(let seconds): "the token says it will be issued in \(seconds) s (iat)"
        }
    }
}
