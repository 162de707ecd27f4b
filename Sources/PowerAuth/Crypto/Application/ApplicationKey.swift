import Crypto

/// Names the version of an application: 16 bytes, Base64 on the wire.
package struct ApplicationKey: Sendable, Hashable {
    /// 24 characters
    package let text: String
    /// 16 bytes
    package let decoded: [UInt8]

    package init(_ text: String) throws {
        self.text = text
        decoded = try decodeBase64(text, part: "application key", count: 16)
    }

    /// - Parameter random: 16 bytes.
    package init(random: [UInt8]) throws {
        try self.init(Base64.encode(random))
    }
}

/// Known to the server and to every copy of an application's version: 16 bytes, Base64 where it is written.
///
/// Authentication codes and envelopes are computed with the text, requests for temporary keys with the bytes.
package struct ApplicationSecret: Sendable, Hashable {
    /// 24 characters
    package let text: String
    /// 16 bytes
    package let decoded: [UInt8]

    package init(_ text: String) throws {
        self.text = text
        decoded = try decodeBase64(text, part: "application secret", count: 16)
    }

    /// - Parameter random: 16 bytes.
    package init(random: [UInt8]) throws {
        try self.init(Base64.encode(random))
    }
}
