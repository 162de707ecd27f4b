import Essentials

/// Where a result can be sent: an absolute URL of HTTP.
enum CallbackAddress {
    /// What is wrong with `text`, for the middle of a sentence; nil for a good one.
    static func fault(of text: String) -> String? {
        guard text.utf8.count <= 2000 else { return "is longer than 2000 bytes" }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return "holds white space or characters outside of ASCII; percent-encode them"
        }
        guard let url = URL(string: text), let scheme = url.scheme else { return "is not an absolute URL" }
        guard ["http", "https"].contains(scheme.asciiLowercased) else {
            return "has the scheme “\(scheme)”; only http and https can be called"
        }
        guard let host = url.host, !host.isEmpty else { return "names no host" }
        return nil
    }

    /// The usual slip by which `text` differs from one of `listed`: a sentence with a space behind it; nil when none is found.
    static func slip(_ text: String, among listed: [String]) -> String? {
        for url in listed {
            if text + "/" == url { return "It lacks the final slash. " }
            if text == url + "/" { return "It has one slash too many at the end. " }
            if text.asciiLowercased == url.asciiLowercased { return "Upper and lower case differ. " }
            if text.hasPrefix(url + "?") { return "It has a query that the listed one lacks. " }
            if text.replacing("https://", with: "http://") == url.replacing("https://", with: "http://") {
                return "One is http, the other https. "
            }
        }
        return nil
    }
}
