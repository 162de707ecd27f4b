/// Other spellings of JSON that has no white space outside of its strings.
enum CompactJSON {
    /// Of how many members all orders are tried, and of how many bytes: five members have 120 orders.
    static let mostOrdered = 5
    static let mostOrderedBytes = 4096

    /// The members of the outermost object in every other order, with a name for each.
    static func orders(of json: [UInt8]) -> [([UInt8], String)] {
        let members = members(of: json)
        guard 2...mostOrdered ~= members.count, json.count <= mostOrderedBytes else { return [] }
        return permutations(members).dropFirst().map { order in
            let names = order.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ", ")
            return (
                Array("{".utf8) + order.map(\.text).joined(separator: Array(",".utf8)) + Array("}".utf8),
                "re-serialised JSON: members in the order \(names)"
            )
        }
    }

    /// - Parameter colon: with the blanks around it.
    static func printed(_ json: [UInt8], indent: Int, colon: String) -> [UInt8] {
        var (result, depth, string): ([UInt8], Int, StringState) = ([], 0, StringState())
        func newline(_ depth: Int) -> [UInt8] { [0x0A] + [UInt8](repeating: 0x20, count: depth * indent) }
        for (index, byte) in json.enumerated() {
            let isInside = string.isInside
            string.take(byte)
            let isEmpty =
                index > 0 && (json[index - 1] == UInt8(ascii: "{") || json[index - 1] == UInt8(ascii: "["))
            switch byte {
            case _ where isInside: result.append(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                result.append(byte)
                let next = index + 1 < json.count ? json[index + 1] : 0
                if next != byte + 2 { result += newline(depth) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(depth - 1, 0)
                result += isEmpty && json[index - 1] == byte - 2 ? [byte] : newline(depth) + [byte]
            case UInt8(ascii: ","): result += [byte] + newline(depth)
            case UInt8(ascii: ":"): result += Array(colon.utf8)
            default: result.append(byte)
            }
        }
        return result
    }

    private struct Member {
        /// Without its quotes.
        let name: ArraySlice<UInt8>
        /// Name, colon and value.
        let text: ArraySlice<UInt8>
    }

    /// None for what is no object.
    private static func members(of json: [UInt8]) -> [Member] {
        guard json.first == UInt8(ascii: "{"), json.last == UInt8(ascii: "}"), json.count > 2 else {
            return []
        }
        var (members, depth, string, start): ([Member], Int, StringState, Int) = ([], 0, StringState(), 1)
        func add(until end: Int) {
            let text = json[start..<end]
            let name = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
            members.append(Member(name: name, text: text))
        }
        for index in 1..<(json.count - 1) {
            let isInside = string.isInside
            string.take(json[index])
            guard !isInside else { continue }
            switch json[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                add(until: index)
                start = index + 1
            default: break
            }
        }
        add(until: json.count - 1)
        return members
    }

    /// The given order comes first.
    private static func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        if elements.count < 2 { return [elements] }
        return elements.indices.flatMap { index in
            var others = elements
            let first = others.remove(at: index)
            return permutations(others).map { [first] + $0 }
        }
    }

    /// Whether the bytes taken so far end inside of a string.
    private struct StringState {
        private(set) var isInside = false
        private var isEscaped = false

        mutating func take(_ byte: UInt8) {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInside.toggle()
            } else if isInside, byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
        }
    }
}
