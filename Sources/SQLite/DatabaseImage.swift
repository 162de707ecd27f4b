/// The bytes of a whole database, from which others are cloned without running a statement.
package struct DatabaseImage: Sendable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
