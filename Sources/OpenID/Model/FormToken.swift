import Crypto
import Essentials

/// Proves that a form was sent by the browser that was shown it, for the conversation that it belongs to, lately.
///
/// The text is the second in which it was made and an HMAC-SHA-256, with the conversation's key, of that second and the browser's
/// cookie.
enum FormToken {
    enum Fault: Error, Equatable {
        case missing
        case wrong
        case old(seconds: Int)
    }

    /// Five minutes. Source: Token Server documentation.
    static let lifetimeSeconds = 300

    static func make(_ interaction: Interaction, browser: String, at now: Date) -> String {
        let second = now.unixSeconds
        return "\(second).\(Hex.encode(code(second, interaction, browser)))"
    }

    /// Nil for a token that is right.
    static func fault(_ text: String?, _ interaction: Interaction, browser: String, at now: Date) -> Fault? {
        guard let text, !text.isEmpty else { return .missing }
        let parts = text.split(separator: ".")
        guard parts.count == 2, let second = Int(parts[0]), let sent = Hex.decode(String(parts[1])),
            constantTimeEqual(sent, code(second, interaction, browser))
        else { return .wrong }
        // Signed by us, so it is a second of the world's clock, and no difference overflows.
        let age = now.unixSeconds - second
        return age < lifetimeSeconds ? nil : .old(seconds: age)
    }

    private static func code(_ second: Int, _ interaction: Interaction, _ browser: String) -> [UInt8] {
        Digest.sha256.authenticationCode(of: Array("\(second) \(browser)".utf8), key: interaction.secret)
    }
}
