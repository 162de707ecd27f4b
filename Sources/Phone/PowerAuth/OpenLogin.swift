import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice

/// A login at an OpenID Connect provider that has begun, and will activate the app.
struct OpenLogin: Codable {
    let provider: String
    let state: String
    let nonce: String
    /// RFC 7636; nil where the provider does not use it.
    let verifier: String?
    let usesBiometry: Bool
}

/// A link, or anything else with members behind a question mark.
enum Link {
    /// Names and values, percent-decoded.
    static func values(in text: String) -> [(name: String, value: String)] {
        guard text.contains(":/"), let start = text.firstIndex(of: "?") else { return [] }
        return text[text.index(after: start)...].split(separator: "&").compactMap { member in
            let parts = member.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), Form.decode(parts[1])) : nil
        }
    }
}
