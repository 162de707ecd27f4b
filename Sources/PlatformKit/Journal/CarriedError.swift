package import HTTP

/// The error that an answer has its receiver carry to somebody else: the browser to a client, by a redirect. Its status says nothing of it.
/// Sources: RFC 6749 §4.1.2.1, §4.2.2.1; Hanko's third-party login does the same.
enum CarriedError {
    private static let name = Array("error=".utf8)

    /// What `prompt=none` is answered with when somebody has to be asked: who asks so wants to know just that, as often as a session is
    /// renewed. Source: OpenID Connect Core 1.0 §3.1.2.6.
    private static let expected: Set = [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]

    /// Whether an answer says no: by its status, or by an error that it carries.
    ///
    /// - Parameter inBody: the code of one that the body carries.
    static func isRefusal(_ status: Int, _ headers: Headers, inBody: String?) -> Bool {
        if status >= 400 { return true }
        guard let code = inBody ?? code(status, headers) else { return false }
        return !expected.contains(code)
    }

    private static func code(_ status: Int, _ headers: Headers) -> String? {
        guard 300..<400 ~= status, let location = headers["Location"] else { return nil }
        return code(in: location)
    }

    /// The value of `error` in the query or the fragment of an address.
    static func code(in location: String) -> String? {
        let parts = location.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1)
        let query = parts.first?.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().first
        let fragment = parts.dropFirst().first
        for part in [query, fragment].compactMap(\.self) {
            for pair in part.split(separator: UInt8(ascii: "&")) where pair.starts(with: name) {
                let code = pair.dropFirst(name.count)
                if !code.isEmpty { return String(Substring(code)) }
            }
        }
        return nil
    }
}

extension Response {
    /// Whether it says no: with a status of 400 or more, or by an error that it has a browser carry to a client.
    package var isRefusal: Bool { CarriedError.isRefusal(status.code, headers, inBody: errorInBody) }
}
