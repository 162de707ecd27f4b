import HTTP

/// The parameters of an authorization request, before anything is known of their meaning.
struct AuthorizationParameters: Sendable {
    /// Bytes of all names and values together.
    static let byteLimit = 65_536
    /// Bytes of one value. OpenID Connect knows no limit; conformance tests send a few hundred.
    static let valueLimit = 8_192

    let form: Form

    init(_ form: Form) { self.form = form }

    /// Nil also for a parameter without a value. Source: RFC 6749 §3.1.
    subscript(_ name: String) -> String? {
        guard let value = form[name], !value.isEmpty else { return nil }
        return value
    }

    /// RFC 8707 §2.
    private static let repeatable = "resource"

    /// `resource`, each value once.
    var resources: [String] { ScopeList(form.values(of: Self.repeatable)).names }

    /// Known ones that came more than once. Unknown ones may. Source: RFC 6749 §3.1.
    var repeated: [String] {
        var seen: Set<String> = []
        var repeated: [String] = []
        for (name, _) in form.pairs
        where Self.known.contains(name) && name != Self.repeatable && !seen.insert(name).inserted {
            if !repeated.contains(name) { repeated.append(name) }
        }
        return repeated
    }

    /// What is worth keeping.
    ///
    /// - Parameter prefix: ``ServerProfile/ownParameterPrefix``
    func knownPairs(and prefix: String?) -> [(name: String, value: String)] {
        form.pairs.filter { pair in
            Self.known.contains(pair.name) || prefix.map { pair.name.hasPrefix($0) } ?? false
        }
    }

    /// The values of the parameters that begin so, by the rest of their names, in the order in which they came.
    func values(behind prefix: String?) -> [String: [String]] {
        guard let prefix else { return [:] }
        let own = form.pairs.filter { $0.name.hasPrefix(prefix) && $0.name != prefix }
        return Dictionary(
            own.map { (String($0.name.dropFirst(prefix.count)), [$0.value]) }, uniquingKeysWith: +)
    }

    var byteCount: Int { form.pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    /// The first known one that is longer than ``valueLimit``.
    var oversized: (name: String, bytes: Int)? {
        form.pairs.lazy.filter { Self.known.contains($0.name) }
            .map { (name: $0.name, bytes: $0.value.utf8.count) }
            .first { $0.bytes > Self.valueLimit }
    }

    /// Source: RFC 6749 §4.1.1; OpenID Connect Core 1.0 §3.1.2.1, §5.2, §5.5, §6; RFC 7636 §4.3; RFC 8707 §2.1; RFC 9449 §10; RFC 9396 §2;
    /// Form Post Response Mode §1.
    static let known: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "display",
        "prompt",
        "max_age", "ui_locales", "claims_locales", "id_token_hint", "login_hint", "acr_values", "claims",
        "request",
        "request_uri", "registration", "code_challenge", "code_challenge_method", "resource", "dpop_jkt",
        "authorization_details",
    ]
}
