/// The header of a mail or of a part. Source: RFC 5322 §2.2; bytes beyond ASCII as RFC 6532 has them.
struct MIMEHeader {
    private var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
    /// Where the body begins.
    private(set) var end: Int
    /// The limit of fields or bytes was reached; the rest of the header was passed over.
    private(set) var isCut = false

    /// - Parameter bytes: lines end in CR LF. A line that is no field begins the body, for an empty line that was forgotten.
    init(_ bytes: ArraySlice<UInt8>, _ limits: MIMELimits) {
        var start = bytes.startIndex
        end = bytes.endIndex
        var previous: Int?
        while start < bytes.endIndex {
            let lineEnd = bytes[start...].firstIndex(of: .lineFeed) ?? bytes.endIndex
            let next = min(lineEnd + 1, bytes.endIndex)
            let line = bytes[start..<lineEnd].trimmingReturn
            if line.isEmpty {
                end = next
                return
            }
            let isFolded = line.first.isBlank
            if fields.count >= limits.fields || next - bytes.startIndex > limits.headerBytes {
                isCut = true
                if !isFolded, Self.colon(line) == nil {
                    end = start
                    return
                }
            } else if isFolded {
                // A value is one piece of the bytes, folds included.
                if let previous {
                    fields[previous].value = bytes[fields[previous].value.startIndex..<line.endIndex]
                }
            } else if let colon = Self.colon(line) {
                previous = fields.count
                fields.append((line[..<colon].trimmingBlanks, line[(colon + 1)...]))
            } else if start == bytes.startIndex, line.starts(with: "From ".utf8) {
                // The first line of a mail in a mailbox file.
                previous = nil
            } else {
                end = start
                return
            }
            start = next
        }
    }

    /// Where the name of a field ends: printable ASCII, and blanks behind it in old mails. Source: RFC 5322 §3.6.8, §4.5.
    private static func colon(_ line: ArraySlice<UInt8>) -> Int? {
        let name = line.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        let rest = line[name.endIndex...].drop(while: \.isBlank)
        return rest.first == UInt8(ascii: ":") ? rest.startIndex : nil
    }

    /// The first field of that name, unfolded and without blanks around; nil when there is none.
    ///
    /// - Parameter name: in lower case.
    func value(_ name: StaticString) -> ArraySlice<UInt8>? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let field = fields.first { field in
            field.name.count == wanted.count && zip(field.name, wanted).allSatisfy { $0.lowercased == $1 }
        }
        guard let value = field?.value else { return nil }
        guard value.contains(.lineFeed) else { return value.trimmingBlanks }
        return value.filter { $0 != .lineFeed && $0 != .carriageReturn }[...].trimmingBlanks
    }

    func text(_ name: StaticString) -> String? { value(name).map { Charset.header($0) } }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || self == 9 }
    var lowercased: UInt8 { 0x41...0x5A ~= self ? self + 0x20 : self }
    var isDigit: Bool { 0x30...0x39 ~= self }
}

extension UInt8? {
    var isBlank: Bool { self?.isBlank ?? false }
}

extension ArraySlice<UInt8> {
    var trimmingReturn: Self { last == .carriageReturn ? dropLast() : self }

    var trimmingBlanks: Self {
        let start = drop(while: \.isBlank)
        guard let last = start.lastIndex(where: { !$0.isBlank }) else {
            return start[start.startIndex..<start.startIndex]
        }
        return start[...last]
    }
}
