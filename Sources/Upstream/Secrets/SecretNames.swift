/// Which members, parameters, fields and elements carry a secret, by their names.
///
/// Services write `new_pin`, `newPin`, `user[pin]` and `X-New-Pin`: what counts is the end, in lower case and without signs.
enum SecretNames {
    private static let ends = grouped([
        "token", "tokens", "tokenhint", "secret", "secrets", "clientsecretshare", "password", "passwords",
        "passwd", "pwd", "passwordconfirmation", "passwordconfirm", "passwordrepeat", "passworddigest",
        "passwordhash", "passphrase", "passcode", "passcodes", "pin", "pins", "pindigest", "pinhash", "puk",
        "puks", "otp", "otps", "ott", "jwt", "assertion", "codeverifier", "apikey", "privatekey", "secretkey",
        "sessionid", "samlresponse", "ticket",
    ])
    /// What stands before `code` where that is a secret in an answer, too; `errorcode` and `countrycode` are none.
    private static let codes = grouped([
        "activation", "activate", "recovery", "backup", "scratch", "authorization", "authentication", "auth",
        "access", "device", "user", "verification", "verify", "confirmation", "login", "otp", "sms", "mail",
        "security", "quick", "reset", "invitation", "registration", "enrollment", "onetime", "mfa",
    ])

    /// - Parameter inRequest: whether `code` alone is a secret, and no error's name.
    static func isSecret(_ name: some Sequence<UInt8>, inRequest: Bool) -> Bool {
        let plain = name.compactMap(\.plainNameByte)
        if ends(plain[...], in: ends) { return true }
        for end in ["codes", "code"] where plain[...].hasSuffix(end) {
            let kind = plain.dropLast(end.utf8.count)
            return kind.isEmpty ? inRequest : ends(kind, in: codes)
        }
        return false
    }

    /// By their last letter.
    private static func grouped(_ words: [String]) -> [UInt8: [[UInt8]]] {
        Dictionary(grouping: words.map { Array($0.utf8) }) { $0[$0.count - 1] }
    }

    private static func ends(_ name: ArraySlice<UInt8>, in words: [UInt8: [[UInt8]]]) -> Bool {
        guard let last = name.last, let words = words[last] else { return false }
        return words.contains { name.suffix($0.count).elementsEqual($0) }
    }
}

extension UInt8 {
    /// A letter in lower case, or a digit; nil for a sign.
    fileprivate var plainNameByte: UInt8? {
        switch self {
        case 0x41...0x5A: self | 0x20
        case 0x61...0x7A, 0x30...0x39: self
        default: nil
        }
    }
}
