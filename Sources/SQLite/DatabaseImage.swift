/// The whole content of a database as the bytes of a SQLite file.
package struct DatabaseImage: Sendable, Equatable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
