/// The whole content of a database as the bytes of a SQLite file.
package struct DatabaseImage: Sendable, Equatable {
    package let bytes: [UInt8]
    /// Made by SQLite itself in this process, so it need not be looked at before it is used.
    let isSound: Bool

    /// Bytes from elsewhere.
    package init(bytes: [UInt8]) { self.init(bytes: bytes, isSound: false) }

    init(bytes: [UInt8], isSound: Bool) {
        self.bytes = bytes
        self.isSound = isSound
    }
}
