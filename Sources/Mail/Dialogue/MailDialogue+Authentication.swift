import Essentials

/// AUTH PLAIN and LOGIN: anybody is let in, with any password. Source: RFC 4954 §4; PLAIN RFC 4616; LOGIN has no RFC but a draft,
/// draft-murchison-sasl-login-00.
extension MailDialogue {
    mutating func authenticate(_ rest: Substring) throws(MailFault) {
        guard envelope.isExtended else { throw .order("AUTH", needs: "EHLO") }
        guard envelope.login == nil else { throw .notNow("AUTH", during: "a session that is authenticated") }
        guard !hasSender else { throw .notNow("AUTH", during: "a mail") }
        try expectNothing(behind: "AUTH")
        let words = rest.split(separator: " ")
        guard let mechanism = words.first?.asciiUppercased, words.count <= 2 else {
            throw .argument("AUTH", expected: "AUTH PLAIN or AUTH LOGIN")
        }
        let initial = words.count == 2 ? String(words[1]) : nil
        switch mechanism {
        case "PLAIN": try begin(.plain, "334 ", initial)
        // Base64 of "Username:".
        case "LOGIN": try begin(.userName, "334 VXNlcm5hbWU6", initial)
        default: throw .mechanism(String(mechanism.prefix(40)))
        }
    }

    private mutating func begin(_ exchange: Exchange, _ challenge: String, _ initial: String?)
        throws(MailFault)
    {
        if let initial { return try proceed(exchange, initial) }
        stage = .authenticating(exchange)
        reply(challenge)
    }

    /// The client's answer to a challenge.
    mutating func proceed(_ exchange: Exchange, _ answer: String) throws(MailFault) {
        if answer == "*" { throw .cancelled }
        // A lone equals sign is an empty answer. RFC 4954 §4.
        guard let bytes = Data(base64Encoded: answer == "=" ? "" : answer),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .credentialsMalformed }
        switch exchange {
        case .plain:
            let parts = text.split(separator: "\0", omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[1].isEmpty else { throw .credentialsMalformed }
            welcome("PLAIN", String(parts[1]))
        case .userName:
            stage = .authenticating(.password(user: text))
            // Base64 of "Password:".
            reply("334 UGFzc3dvcmQ6")
        case .password(let user): welcome("LOGIN", user)
        }
    }

    private mutating func welcome(_ mechanism: String, _ user: String) {
        envelope.login = Envelope.Login(mechanism: mechanism, user: user)
        reply("235 2.7.0 welcome; any password is right here")
    }
}
