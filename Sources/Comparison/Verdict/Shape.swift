import Essentials
import HTTP
import PlatformKit

/// What kind of text a value is, where the value itself is made up anew each time.
enum Shape: Hashable {
    case empty
    case uuid
    /// Digits, and how many.
    case digits(Int)
    case email
    /// A time, with its zone and fraction: `Z`, an offset or nothing, behind a space where one stands in the place of the `T`.
    case time(zone: String, hasFraction: Bool)
    case token
    case address
    /// A word of a closed set, such as an error code or a state.
    case word
    /// A sentence or a name, for people.
    case prose
    /// Made by chance.
    case opaque

    init(_ text: String) {
        self =
            switch text {
            case "": .empty
            case _ where Self.isUUID(text): .uuid
            case _ where text.utf8.count < 40 && text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }):
                .digits(text.utf8.count)
            case _ where text.hasPrefix("eyJ") && WebToken.parts(of: text) != nil: .token
            case _ where text.hasPrefix("/") && Self.isBase64(text): .opaque
            case _ where text.hasPrefix("/") || text.hasPrefix("{world}") || WebAddress(text) != nil: .address
            default: Self.time(text) ?? Self.rest(text)
            }
    }

    /// Whether what looks like a path is bytes in Base64, one in 64 of which begin so.
    private static func isBase64(_ text: String) -> Bool {
        let (bytes, bare) = (Array(text.utf8), text.utf8.prefix { $0 != UInt8(ascii: "=") })
        return bytes.count >= 20 && bytes.count % 4 == 0 && bytes.count - bare.count <= 2
            && bytes.dropFirst(bare.count).allSatisfy { $0 == UInt8(ascii: "=") }
            && bare.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "+/".utf8.contains($0) }
            && bare.contains(where: isUpper) && bare.contains(where: isLower)
            && (digitCount(bytes) > 0 || turnCount(bytes) * 4 >= bytes.count)
    }

    private static func rest(_ text: String) -> Shape {
        if isEmail(text) { return .email }
        if text.unicodeScalars.contains(where: { $0.value > 0x7E || $0.value <= 0x20 }) { return .prose }
        return isWord(text) ? .word : .opaque
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy {
                [8, 13, 18, 23].contains($0) ? $1 == UInt8(ascii: "-") : $1.hexDigit != nil
            }
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.utf8.contains(where: { $0 <= 0x20 }) else {
            return false
        }
        guard let dot = parts[1].lastIndex(of: UInt8(ascii: ".")), dot > parts[1].startIndex else {
            return false
        }
        let last = parts[1][parts[1].index(after: dot)...]
        return !last.isEmpty && last.allSatisfy(isLetter)
    }

    /// `2026-01-02T03:04:05`, perhaps with a fraction and a zone. By hand: each value of a recording is asked.
    private static func time(_ text: String) -> Shape? {
        let bytes = Array(text.utf8)
        guard 19...40 ~= bytes.count else { return nil }
        for (index, sign) in "dddd-dd-ddTdd:dd:dd".utf8.enumerated() {
            let byte = bytes[index]
            switch sign {
            case UInt8(ascii: "d"): guard 0x30...0x39 ~= byte else { return nil }
            case UInt8(ascii: "T"): guard "Tt ".utf8.contains(byte) else { return nil }
            default: guard byte == sign else { return nil }
            }
        }
        let hasFraction = bytes.count > 19 && bytes[19] == UInt8(ascii: ".")
        let digits = hasFraction ? bytes[20...].prefix { 0x30...0x39 ~= $0 }.count : 0
        let zone = bytes[(19 + (hasFraction ? 1 + digits : 0))...]
        let form = String(decoding: zone.map { 0x30...0x39 ~= $0 ? UInt8(ascii: "d") : $0 }, as: UTF8.self)
        let zones = [
            "": "", "Z": "Z", "z": "Z", "+dd:dd": "+00:00", "-dd:dd": "+00:00", "+dddd": "+0000",
            "-dddd": "+0000",
        ]
        guard !hasFraction || digits > 0, let zone = zones[form] else { return nil }
        return .time(zone: (bytes[10] == UInt8(ascii: " ") ? " " : "") + zone, hasFraction: hasFraction)
    }

    /// Letters with few digits, as people make words up; what chance makes has more digits, or jumps between cases.
    private static func isWord(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= 64, let first = bytes.first, isLetter(first) else { return false }
        // Names of algorithms, curves and codes: ES256, P-256, HTTP_401.
        if bytes.count <= 16, digitCount(bytes) <= 3,
            bytes.allSatisfy({ isUpper($0) || 0x30...0x39 ~= $0 || "-_".utf8.contains($0) })
        {
            return true
        }
        guard bytes.allSatisfy({ $0.isUnreserved || "/:+#;=,".utf8.contains($0) }) else { return false }
        let (digits, turns) = (digitCount(bytes), turnCount(bytes))
        if digits <= 1, bytes.count <= 12 { return true }
        return digits <= 4 && digits * 4 <= bytes.count && turns * 4 <= bytes.count
    }

    /// How often a letter of the other case follows.
    private static func turnCount(_ bytes: [UInt8]) -> Int {
        zip(bytes, bytes.dropFirst()).count { isLower($0) && isUpper($1) || isUpper($0) && isLower($1) }
    }

    private static func digitCount(_ bytes: [UInt8]) -> Int { bytes.count { 0x30...0x39 ~= $0 } }
    private static func isLetter(_ byte: UInt8) -> Bool { isLower(byte) || isUpper(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }
    private static func isUpper(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

    /// Whether it is made by chance, so that no two answers give it by accident.
    var isOpaque: Bool {
        switch self {
        case .uuid, .token, .opaque: true
        default: false
        }
    }

    private static func words(ofZone zone: Substring) -> String {
        zone.isEmpty ? "without a zone" : zone == "Z" ? "with Z" : "with an offset such as \(zone)"
    }

    /// Whether a name of a member is made by chance, such as the id of an entry: long, and without signs.
    static func isMadeName(_ name: String) -> Bool {
        switch Shape(name) {
        case .uuid, .token: true
        case .opaque: name.utf8.count >= 16 && name.utf8.allSatisfy(\.isUnreserved) && !name.hasPrefix("_")
        default: false
        }
    }

    /// As it stands in a sentence.
    var words: String {
        switch self {
        case .empty: "an empty text"
        case .uuid: "a UUID"
        case .digits(let count): "\(count) digits"
        case .email: "an email address"
        case .time(let zone, let hasFraction):
            "a time "
                + Self.words(ofZone: zone.drop { $0 == " " }) + (hasFraction ? " and a fraction" : "")
                + (zone.hasPrefix(" ") ? ", with a space and no T" : "")
        case .token: "a JSON Web Token"
        case .address: "a URL"
        case .word: "a word"
        case .prose: "a text for people"
        case .opaque: "an opaque value"
        }
    }
}
