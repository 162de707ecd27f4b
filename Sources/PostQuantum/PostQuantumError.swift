/// Why bytes are no key, no ciphertext or no input of one of the schemes.
package struct PostQuantumError: Error, Equatable, CustomStringConvertible {
    package let description: String

    static func size(_ what: String, _ count: Int, instead expected: Int) -> Self {
        Self(description: "\(what) of \(count) bytes instead of \(expected)")
    }
}

/// Throws unless `bytes` are as many as `count`.
func require(_ what: String, _ bytes: [UInt8], count: Int) throws {
    guard bytes.count == count else { throw PostQuantumError.size(what, bytes.count, instead: count) }
}
