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
        guard ["http", "https"].contains(scheme.lowercased()) else {
            return "has the scheme \"\(scheme)\"; only http and https can be called"
        }
        guard let host = url.host, !host.isEmpty else { return "names no host" }
        return nil
    }
}
