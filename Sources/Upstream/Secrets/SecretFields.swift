import Essentials

/// Secrets of a form in parts, whose fields have their names in a line before them.
///
/// Source: RFC 7578 §4.2. What has no delimiter, or another one, stays as it is.
struct SecretFields {
    /// A line that begins so ends a part.
    private let delimiter: [UInt8]

    /// - Parameter type: with its parameter `boundary`; nil for a type without one.
    init?(type: String) {
        guard type.asciiLowercased.hasPrefix("multipart/"),
            let match = type.firstMatch(of: /boundary=(?:"([^"]+)"|([^\s;"]+))/.ignoresCase()),
            let boundary = match.1 ?? match.2
        else { return nil }
        delimiter = Array("--\(boundary)".utf8)
    }

    /// - Parameter other: masks what is in a field with another name.
    func masked(_ body: [UInt8], _ other: ([UInt8]) -> [UInt8]) -> [UInt8] {
        var made: [UInt8] = []
        var (head, content): ([UInt8], [UInt8]?) = ([], nil)
        for line in Lines(body) {
            if line.starts(with: delimiter) {
                made += finished(content, head, other) + line
                (head, content) = ([], nil)
            } else if content != nil {
                content?.append(contentsOf: line)
            } else {
                made += line
                head += line
                if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { content = [] }
            }
        }
        return made + finished(content, head, other)
    }

    private func finished(
        _ content: [UInt8]?, _ head: [UInt8], _ other: ([UInt8]) -> [UInt8]
    ) -> [UInt8] {
        guard let content else { return [] }
        let end = content.suffix(2).elementsEqual("\r\n".utf8) ? 2 : content.last == 0x0A ? 1 : 0
        let (value, rest) = (content.dropLast(end), content.suffix(end))
        let lines = String(decoding: head, as: UTF8.self)
        if let name = lines.firstMatch(of: /[; ]name="?([^";\r\n]+)/.ignoresCase()),
            SecretNames.isSecret(name.1.utf8, inRequest: true)
        {
            return Mask.of(bytes: value) + rest
        }
        return other(Array(value)) + rest
    }

    /// Lines with their ends.
    private struct Lines: Sequence, IteratorProtocol {
        private var rest: ArraySlice<UInt8>

        init(_ text: [UInt8]) { rest = text[...] }

        mutating func next() -> ArraySlice<UInt8>? {
            if rest.isEmpty { return nil }
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest[..<end]
        }
    }
}
