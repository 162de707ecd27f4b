import WebAuthn

/// Where a page or an app is that asks an authenticator.
enum Origin {
    static let expected =
        "an origin such as “https://example.com”, “http://localhost:8080” or “android:apk-key-hash:…” with 43 characters "
        + "of base64url"

    /// - Throws: ``ControlError/parameter(_:expected:given:)`` for what no client would send. An authenticator that shall send such a
    ///   thing has the switch `clientDataOrigin`.
    static func checked(_ text: String) throws -> String {
        guard text.unicodeScalars.count <= AuthenticatorLimit.text, isWellFormed(text) else {
            throw ControlError.parameter("origin", expected: expected, given: "“\(text)”")
        }
        return text
    }

    private static func isWellFormed(_ text: String) -> Bool {
        if text.hasPrefix("android:") { return AndroidOrigin.fingerprint(origin: text) != nil }
        return text.wholeMatch(of: /[a-z][a-z0-9+.-]*:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/)
            != nil
    }
}
