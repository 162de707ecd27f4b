/// The query of a request as it is signed: decoded, sorted, and encoded anew in the manner of forms.
enum CanonicalQuery {
    static func bytes(_ query: String) -> [UInt8] {
        let pairs = query.split(separator: "&").compactMap { pair -> (name: [UInt8], value: [UInt8])? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (decoded(parts[0]), decoded(parts[1])) : nil
        }
        let sorted = pairs.sorted { one, other in
            one.name == other.name
                ? one.value.lexicographicallyPrecedes(other.value)
                : one.name.lexicographicallyPrecedes(other.name)
        }
        return Array(
            sorted.map { [encoded($0.name), encoded($0.value)].joined(separator: "=") }
                .joined(separator: "&").utf8)
    }

    private static func decoded(_ text: Substring) -> [UInt8] {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text.utf8)
        while let byte = rest.popFirst() {
            switch Unicode.Scalar(byte) {
            case "+": bytes.append(0x20)
            case "%":
                if rest.count > 1,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "*", "-", ".", "_": String(Unicode.Scalar(byte))
            case " ": "+"
            default:
                "%" + String(byte >> 4, radix: 16).uppercased() + String(byte & 15, radix: 16).uppercased()
            }
        }.joined()
    }
}
