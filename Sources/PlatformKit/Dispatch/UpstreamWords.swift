import Essentials
import HTTP

/// What is known of an error of a real service: its own words, in a sentence.
enum UpstreamWords {
    /// Members of an error's JSON that name it, and that say more. Sources: RFC 6749 §5.2, RFC 9457 §3.1; what the emulated platforms'
    /// originals send.
    private static let names = ["error", "code", "type", "title"]
    private static let words = [
        "error_description", "message", "detail", "details", "error_message", "title",
    ]

    /// Nil for an answer that is no error.
    static func sentence(on response: Response, of url: String) -> String? {
        guard response.status.code >= 400 else { return nil }
        let who =
            response.status.code >= 500 ? "The upstream \(url) failed" : "The upstream \(url) refused it"
        let told = told(response)
        return
            "\(who): \(response.status.code) \(response.status.reason)\(told.isEmpty ? "" : ", “\(told)”"). This is the real service's answer."
    }

    private static func told(_ response: Response) -> String {
        if let value = response.headers["WWW-Authenticate"], response.bytes.isEmpty {
            return String(value.prefix(200))
        }
        // What is no JSON says nothing that could be found.
        guard let value = try? JSONValue(parsing: response.bytes), var members = value.object else {
            return ""
        }
        if let inner = members["error"]?.object { members = inner }
        let name = names.lazy.compactMap { members[$0]?.string }.first
        let text = words.lazy.compactMap { members[$0]?.string }.first { $0 != name }
        return [name, text].compactMap { $0.map { String($0.prefix(200)) } }.joined(separator: ": ")
    }
}
