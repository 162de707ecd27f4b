import Essentials

/// Masks the secrets of JSON, byte by byte, so that everything else stays as it was, also of a text that is cut or malformed, or that has JSON in it.
struct SecretMembers {
    let inRequest: Bool

    /// A list or an object that is open.
    private struct Level {
        /// Of a list: each element of it is a value of its name.
        var name: [UInt8]?
        /// Of an object with the name of a secret, whose member `value` is that.
        var isOfSecret = false
    }

    func masked(_ text: [UInt8]) -> [UInt8] {
        var made: [UInt8] = []
        made.reserveCapacity(text.count)
        var (place, name) = (0, [UInt8]?.none)
        var levels: [Level] = []
        while place < text.count {
            guard text[place] == UInt8(ascii: "\"") else {
                if let end = numberEnd(text, from: place), isSecret(name, in: levels) {
                    made += "\"\(Mask.of(String(decoding: text[place..<end], as: UTF8.self)))\"".utf8
                    place = end
                    continue
                }
                // A name holds until its value is over.
                switch text[place] {
                case UInt8(ascii: "["): levels.append(Level(name: name))
                case UInt8(ascii: "{"): levels.append(Level(isOfSecret: isSecret(name, in: levels)))
                case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = levels.popLast()
                default: break
                }
                if ",{]}".utf8.contains(text[place]) { name = levels.last?.name }
                made.append(text[place])
                place += 1
                continue
            }
            let end = stringEnd(text, from: place + 1)
            let content = Array(text[(place + 1)..<end])
            let isName = next(text, after: end + 1) == UInt8(ascii: ":")
            made.append(UInt8(ascii: "\""))
            made += isName ? content : value(content, isSecret: isSecret(name, in: levels))
            if end < text.count { made.append(UInt8(ascii: "\"")) }
            if isName { name = content }
            place = end + 1
        }
        return made
    }

    private func value(_ content: [UInt8], isSecret: Bool) -> [UInt8] {
        let isToken = content.starts(with: "eyJ".utf8) && content.count { $0 == UInt8(ascii: ".") } >= 2
        return isSecret || isToken
            ? Mask.of(bytes: content) : content
    }

    private func isSecret(_ name: [UInt8]?, in levels: [Level]) -> Bool {
        guard let name else { return false }
        if levels.last?.isOfSecret == true, name.elementsEqual("value".utf8) { return true }
        // A name with escapes that there are not is none.
        let plain =
            name.contains(UInt8(ascii: "\\"))
            ? (try? JSONValue(parsing: [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]))?.string : nil
        return SecretNames.isSecret(plain.map { Array($0.utf8) } ?? name, inRequest: inRequest)
    }

    /// Where a number ends that begins here; nil for anything else.
    private func numberEnd(_ text: [UInt8], from start: Int) -> Int? {
        let first = text[start]
        guard 0x30...0x39 ~= first || first == UInt8(ascii: "-") else { return nil }
        return text[start...].firstIndex { !"0123456789+-.eE".utf8.contains($0) } ?? text.count
    }

    /// Where a string's closing quotation mark stands, or the text ends.
    private func stringEnd(_ text: [UInt8], from start: Int) -> Int {
        var place = start
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place, text.count)
    }

    /// The first byte that is no blank.
    private func next(_ text: [UInt8], after place: Int) -> UInt8? {
        text[min(place, text.count)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
