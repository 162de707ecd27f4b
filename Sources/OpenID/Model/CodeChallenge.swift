import HTTP

/// What the holder of a code has to prove. Source: RFC 7636 §4.2, §4.3.
struct CodeChallenge: Sendable, Equatable {
    let text: String
    /// `S256` or `plain`
    let method: String

    /// Nil when the request has none.
    ///
    /// - Throws: ``AuthorizationFault``.
    init?(_ parameters: AuthorizationParameters) throws(AuthorizationFault) {
        let method = parameters["code_challenge_method"]
        guard let text = parameters["code_challenge"] else {
            if method != nil { throw .challengeMethodAlone }
            return nil
        }
        if let method, method != "S256", method != "plain" { throw .challengeMethodUnknown(method) }
        guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(\.isUnreserved) else {
            throw .challengeMalformed(text)
        }
        (self.text, self.method) = (text, method ?? "plain")
    }
}
