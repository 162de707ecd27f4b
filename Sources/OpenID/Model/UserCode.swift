import Essentials

/// What a user types to connect a device: eight consonants, so that no word comes about. Source: RFC 8628 §6.1.
package enum UserCode {
    package static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    package static let count = 8

    /// The code without dash, from random bytes; nil when there are not enough that can be used.
    static func make(from bytes: [UInt8]) -> String? {
        // 240 is the largest multiple of 20 that a byte holds; what lies above would favour the first letters.
        let letters = bytes.filter { $0 < 240 }.prefix(count).map { alphabet[Int($0) % alphabet.count] }
        return letters.count == count ? String(decoding: letters, as: UTF8.self) : nil
    }

    /// As people read it: `WDJB-MJHT`.
    package static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.dropFirst(4))" }

    /// What was typed, without regard to case, spaces and dashes. Source: RFC 8628 §6.1.
    package static func normalized(_ typed: String) -> String {
        String(typed.asciiUppercased.filter { !$0.isWhitespace && $0 != "-" })
    }
}
