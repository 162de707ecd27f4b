/// Writes the parts of a head one behind the other, in memory that is large enough for all of them.
struct HeadPen {
    private let memory: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: memory[..<count]) }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        _ = rest.initialize(fromContentsOf: bytes)
        count += bytes.count
    }

    mutating func put(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { put($0) } }

    mutating func put(_ text: StaticString) { text.withUTF8Buffer { put($0) } }

    mutating func put(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ put($0) }) != nil { return }
        var text = text
        text.withUTF8 { put($0) }
    }

    mutating func put(_ number: Int) { put(String(number)) }

    /// A field with its line end; nothing where its name is no token, or one that the writer has fields of.
    mutating func put(_ field: Headers.Field) {
        var (name, value) = (field.name, field.value)
        let isWritten = name.withUTF8 { name in
            guard !name.isEmpty, name.allSatisfy(\.isToken), !name.isOwnOfWriter else { return false }
            put(name)
            return true
        }
        guard isWritten else { return }
        put(": ")
        value.withUTF8 { put(withoutControls: $0) }
        put("\r\n")
    }

    /// What would end the line becomes a space.
    private mutating func put(withoutControls bytes: UnsafeBufferPointer<UInt8>) {
        let written = count
        put(bytes)
        guard bytes.firstControl(from: 0) < bytes.count else { return }
        for index in written..<count where memory[index] < 0x20 || memory[index] == 0x7F {
            memory[index] = 0x20
        }
    }

    private var rest: UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(rebasing: memory[count...])
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The fields that say how an answer is framed, and when it was made.
    fileprivate var isOwnOfWriter: Bool {
        switch count {
        case 4: equals(lowercase: "date")
        case 10: equals(lowercase: "connection")
        case 14: equals(lowercase: "content-length")
        case 17: equals(lowercase: "transfer-encoding")
        default: false
        }
    }
}
