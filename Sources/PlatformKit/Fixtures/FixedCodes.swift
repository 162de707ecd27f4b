import Essentials
package import SQLite

/// The section `codes`: codes that platforms send to certain addresses in the place of random ones, for who cannot read the outbox, such as
/// an app store's reviewer.
///
///     {"codes": {"review@example.com": "123456", "+31612345678": "000000"}}
///
/// Everything else about such a code is as ever: it has to be asked for, expires, is good once and counts tries. No platform has to know
/// the address.
package struct FixedCodes: Sendable, Equatable {
    static let section = "codes"
    private static let setting = Setting<[String: String]>("kit.codes")

    /// Every code that platforms send to people has so many digits.
    private static let digits = 6
    /// Source: RFC 5321 §4.5.3.1, a local part of 64, the sign and a domain of 255.
    private static let longestAddress = 320

    private let codes: [String: String]

    /// By address.
    package var all: [(address: String, code: String)] {
        codes.map { ($0.key, $0.value) }.sorted { $0.address < $1.address }
    }

    /// What the fixtures of a world say.
    package init(in db: Connection) throws { codes = try Self.setting.value(in: db) ?? [:] }

    /// The code for an address or a telephone number, letters compared without case; nil where chance decides.
    package func code(for address: String) -> String? {
        if let code = codes[address] { return code }
        let folded = address.asciiLowercased
        return codes.first { $0.key.asciiLowercased == folded }?.value
    }

    func load(into db: Connection) throws {
        var seen: Set<String> = []
        for (address, code) in all {
            guard Self.isAddress(address) else {
                throw FixtureProblem(
                    at: [address],
                    "expected a mail address or a telephone number, found “\(address.prefix(80))”")
            }
            guard code.utf8.count == Self.digits, code.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw FixtureProblem(
                    at: [address],
                    "expected \(Self.digits) digits in quotes, such as “123456”, found “\(code.prefix(80))”")
            }
            guard seen.insert(address.asciiLowercased).inserted else {
                throw FixtureProblem(
                    at: [address], "the address “\(address)” appears twice, in other letters")
            }
        }
        try Self.setting.set(codes.isEmpty ? nil : codes, in: db)
    }

    private static func isAddress(_ text: String) -> Bool {
        1...longestAddress ~= text.utf8.count
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}

extension FixedCodes: Codable {
    package init(from decoder: any Decoder) throws {
        codes = try [String: String](from: decoder).filter { !$0.key.hasPrefix("$") }
    }

    package func encode(to encoder: any Encoder) throws { try codes.encode(to: encoder) }
}
