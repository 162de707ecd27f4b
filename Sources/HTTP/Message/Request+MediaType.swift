import Essentials

extension Request {
    /// What `Content-Type` says without its parameters, in lower case; nil when nothing says it.
    package var mediaType: String? {
        headers["Content-Type"].map { value in
            String(Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }))
                .asciiLowercased
        }
    }

    /// Whether the body is said to be a form; parameters such as a charset do not matter.
    package var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

    /// Whether the body is said to be JSON, by its own media type or one that builds upon it. Source: RFC 6839 §3.1.
    package var isJSON: Bool {
        mediaType.map { $0 == "application/json" || $0.hasPrefix("application/") && $0.hasSuffix("+json") }
            ?? false
    }
}
