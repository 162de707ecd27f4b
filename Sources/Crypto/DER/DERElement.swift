/// One element of DER: what it is, and its contents. Source: X.690 §8.1.
package struct DERElement: Sendable, Equatable {
    package let tag: DERTag
    package let content: ArraySlice<UInt8>

    /// The one element that the bytes are.
    ///
    /// - Throws: when the bytes are no element or more than one.
    package init(parsing bytes: [UInt8]) throws {
        var reader = DERReader(bytes[...])
        self = try reader.next()
        try reader.end()
    }

    init(tag: DERTag, content: ArraySlice<UInt8>) {
        (self.tag, self.content) = (tag, content)
    }

    package var bytes: [UInt8] { Array(content) }

    /// This element, which must have the tag.
    package func of(_ expected: DERTag) throws -> DERElement {
        guard tag == expected else {
            throw CryptoError(call: "DER", message: "\(tag) where \(expected) is expected")
        }
        return self
    }

    /// The elements inside of one that has parts.
    package func children() throws -> [DERElement] {
        guard tag.isConstructed else { throw CryptoError(call: "DER", message: "\(tag) has no parts") }
        var reader = DERReader(content)
        var elements: [DERElement] = []
        while !reader.isAtEnd { elements.append(try reader.next()) }
        return elements
    }

    /// The value of an INTEGER or ENUMERATED that fits into 64 bits.
    package func integer() throws -> Int {
        guard tag == .integer || tag == .enumerated, let first = content.first, content.count <= 8 else {
            throw CryptoError(call: "DER", message: "no integer of at most 64 bits but \(tag)")
        }
        return content.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int($1) }
    }

    package func boolean() throws -> Bool {
        guard tag == .boolean, content.count == 1 else {
            throw CryptoError(call: "DER", message: "no boolean but \(tag)")
        }
        return content.first != 0
    }

    /// An OBJECT IDENTIFIER in dotted form. Source: X.690 §8.19.
    package func objectIdentifier() throws -> String {
        guard tag == .objectIdentifier, let last = content.last, last & 0x80 == 0 else {
            throw CryptoError(call: "DER", message: "no object identifier but \(tag)")
        }
        var (arcs, arc): ([Int], Int) = ([], 0)
        for byte in content {
            guard arc < 1 << 48 else { throw CryptoError(call: "DER", message: "an arc is too large") }
            arc = arc << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 {
                arcs.append(arc)
                arc = 0
            }
        }
        let first = min(arcs[0] / 40, 2)
        return ([first, arcs[0] - 40 * first] + arcs.dropFirst()).map(String.init).joined(separator: ".")
    }
}

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
