import Essentials

/// Masks the secrets of a JSON text, byte by byte, so that everything else stays as it was, also of a text that is cut or malformed.
struct SecretMembers {
    let mask: SecretMask
    let inRequest: Bool

    func masked(_ text: [UInt8]) -> [UInt8] {
        var made: [UInt8] = []
        made.reserveCapacity(text.count)
        var (place, name) = (0, [UInt8]?.none)
        while place < text.count {
            guard text[place] == UInt8(ascii: "\"") else {
                // A name holds until its value is over.
                if [UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}")].contains(text[place]) {
                    name = nil
                }
                made.append(text[place])
                place += 1
                continue
            }
            let end = stringEnd(text, from: place + 1)
            let content = Array(text[(place + 1)..<end])
            let isName = next(text, after: end + 1) == UInt8(ascii: ":")
            made.append(UInt8(ascii: "\""))
            made += isName ? content : value(content, of: name)
            if end < text.count { made.append(UInt8(ascii: "\"")) }
            if isName { name = content }
            place = end + 1
        }
        return made
    }

    private func value(_ content: [UInt8], of name: [UInt8]?) -> [UInt8] {
        let text = String(decoding: content, as: UTF8.self)
        if let name, mask.isSecret(String(decoding: name, as: UTF8.self), inRequest: inRequest) {
            return Array(mask.mask(text).utf8)
        }
        let isToken = text.hasPrefix("eyJ") && text.utf8.count { $0 == UInt8(ascii: ".") } >= 2
        // A page or an address may stand in a member as well.
        return isToken
            ? Array(mask.mask(text).utf8)
            : text.hasPrefix("http") ? Array(mask.masked(target: text).utf8) : content
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
