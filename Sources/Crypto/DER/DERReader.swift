/// Reads elements of DER one after another. Source: X.690 §8.1 and §10.1.
package struct DERReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    /// - Throws: when something is left.
    package func end() throws {
        guard rest.isEmpty else { throw fault("\(rest.count) bytes follow the element") }
    }

    /// - Throws: for what goes beyond the bytes, an indefinite length, or a length that is not in its shortest form.
    package mutating func next() throws -> DERElement {
        let tag = try tag()
        let count = try length()
        guard count <= rest.count else {
            throw fault("an element of \(count) bytes with \(rest.count) left")
        }
        defer { rest = rest.dropFirst(count) }
        return DERElement(tag: tag, content: rest.prefix(count))
    }

    private mutating func byte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw fault("it ends within an element") }
        return byte
    }

    private mutating func tag() throws -> DERTag {
        let first = try byte()
        guard let scope = DERTag.Scope(rawValue: first >> 6) else { throw fault("a tag of no class") }
        var number = Int(first & 0x1F)
        if number == 0x1F {
            number = 0
            var next: UInt8
            repeat {
                next = try byte()
                number = number << 7 | Int(next & 0x7F)
                guard number < 1 << 24 else { throw fault("a tag number is too large") }
            } while next & 0x80 != 0
        }
        return DERTag(scope, number, isConstructed: first & 0x20 != 0)
    }

    private mutating func length() throws -> Int {
        let first = try byte()
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard 1...4 ~= count else { throw fault("a length that is indefinite or of \(count) bytes") }
        var length = 0
        for _ in 0..<count { length = length << 8 | Int(try byte()) }
        guard length >= 0x80, length >> (8 * (count - 1)) != 0 else {
            throw fault("a length that is not in its shortest form")
        }
        return length
    }

    private func fault(_ message: String) -> CryptoError { CryptoError(call: "DER", message: message) }
}
