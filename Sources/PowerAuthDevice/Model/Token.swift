/// A token of the server, with which requests are authenticated without moving the counter.
package struct Token: Sendable, Codable, Equatable {
    package let id: String
    /// 16 bytes
    package var secret: [UInt8]

    package init(id: String, secret: [UInt8]) {
        self.id = id
        self.secret = secret
    }
}
