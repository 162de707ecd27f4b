import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice

// Activation by OpenID Connect: the app sends the person to the provider's page in a browser, which comes back by a link.
extension PowerAuthApp {
    /// - Returns: a report whose code is the address to be opened in a browser.
    func beginLogin(_ provider: String, _ typed: TypedIn) throws -> PhoneReport {
        try checkFree()
        var fresh = try built(for: nil, typed)
        let told = try asking { try makeDevice(fresh).openIDConfiguration(provider: provider) }
        guard let page = told["authorizeUri"]?.string, let client = told["clientId"]?.string,
            let back = told["redirectUri"]?.string, let scopes = told["scopes"]?.string
        else {
            throw PhoneRefusal(.refused, "The platform tells no whole settings of the provider: \(told.text)")
        }
        let verifier = told["pkceEnabled"]?.boolean == true ? random(48) : nil
        let login = OpenLogin(
            provider: provider, state: Self.statePrefix + random(16), nonce: random(24), verifier: verifier,
            usesBiometry: typed.usesBiometry)
        fresh.login = login
        kept = fresh
        var query = [
            ("client_id", client), ("redirect_uri", back), ("scope", scopes), ("response_type", "code"),
            ("nonce", login.nonce), ("state", login.state),
        ]
        if let verifier {
            let challenge = Base64URL.encode(Digest.sha256(Array(verifier.utf8)))
            query += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        let address = page + "?" + query.map { $0.0 + "=" + $0.1.percentEncoded }.joined(separator: "&")
        return PhoneReport(
            "login", provider, code: address,
            "log in at \(address), and have the phone scan the address to which that leads back.")
    }

    private func random(_ count: Int) -> String { Base64URL.encode(handset.draw(count)) }

    private static let statePrefix = "powerauth."

    static func isEndOfLogin(_ text: String) -> Bool {
        let values = Link.values(in: text)
        return values.contains { $0.name == "state" && $0.value.hasPrefix(statePrefix) }
    }

    /// The link by which the browser came back.
    func endLogin(_ text: String) throws -> PhoneReport {
        let values = Dictionary(Link.values(in: text)) { first, _ in first }
        guard var fresh = kept, let login = fresh.login, values["state"] == login.state else {
            throw PhoneRefusal(.refused, "The phone “\(handset.phone.name)” has not begun this login.")
        }
        guard let code = values["code"] else {
            throw PhoneRefusal(.refused, "The provider refused: \(values["error"] ?? "no code").")
        }
        fresh.login = nil
        var typed = TypedIn()
        typed.usesBiometry = login.usesBiometry
        return try activate(
            .openID(provider: login.provider, code: code, nonce: login.nonce, verifier: login.verifier),
            fresh,
            typed)
    }
}
