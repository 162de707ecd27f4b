import Embedded
import Essentials

/// What mails say in one language. The texts of all languages are in `Web/mails/hanko.json`, with names in braces where something is to be
/// filled in.
struct MailTexts: Decodable, Sendable, Equatable {
    /// A text of a mail with everything filled in, or still to be filled in.
    struct Mail: Decodable, Sendable, Equatable {
        let subject: String
        let text: String
    }

    struct Validity: Decodable, Sendable, Equatable {
        /// For one minute.
        let one: String
        let other: String
    }

    /// By the name of the template: `passcode` of the classic endpoints, those of ``FlowPasscode/Purpose`` and ``SecurityNotification``.
    let mails: [String: Mail]
    /// How long a code is good.
    let validity: Validity
    /// Follows what a security notification says.
    let warning: String

    private static let path = "Web/mails/hanko.json"

    private static let all = Result<[String: MailTexts], any Error> {
        guard let file = EmbeddedFile.at(path) else { throw MailTextMissing(name: path) }
        return try JSONDecoder().decode([String: MailTexts].self, from: Data(file.bytes))
    }

    static func texts(_ language: MailLanguage) throws -> MailTexts {
        guard let texts = try all.get()[language.rawValue] else {
            throw MailTextMissing(name: language.rawValue)
        }
        return texts
    }

    func mail(_ template: String, _ values: [String: String]) throws -> Mail {
        guard let mail = mails[template] else { throw MailTextMissing(name: template) }
        return Mail(subject: mail.subject.filled(with: values), text: mail.text.filled(with: values))
    }

    func validity(minutes: Int) -> String {
        (minutes == 1 ? validity.one : validity.other).filled(with: ["minutes": String(minutes)])
    }
}

/// The program was built without a text of its mails.
struct MailTextMissing: Error {
    let name: String
}

extension String {
    /// With `values` in the place of their names in braces. What a value says is not looked at.
    func filled(with values: [String: String]) -> String {
        var (text, rest) = ("", self[...])
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start]
            text += values[String(rest[start..<end].dropFirst())] ?? ""
            rest = rest[end...].dropFirst()
        }
        return text + rest
    }
}

/// A language that mails are written in.
enum MailLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case italian = "it"
    case dutch = "nl"
    case brazilianPortuguese = "pt-BR"
    /// After 3.x.
    case polish = "pl"

    /// The language that the client likes best of those we have; English when there is none.
    ///
    /// Source: RFC 9110 §12.5.4. Of equals the first wins.
    init(acceptLanguage: String?, knowsPolish: Bool = false) {
        let ranges = (acceptLanguage ?? "").split(separator: ",").prefix(50).map { LanguageRange(String($0)) }
        let liked = ranges.enumerated().filter { $0.element.quality > 0 }
            .sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        self =
            liked.lazy.compactMap { Self.named($0.element.tag) }.first { $0 != .polish || knowsPolish }
            ?? .english
    }

    /// `de` and `de-AT` are German, `pt` is the one Portuguese we have, `*` is English.
    private static func named(_ tag: String) -> MailLanguage? {
        if tag == "*" { return .english }
        let primary = tag.prefix { $0 != "-" }.lowercased()
        return allCases.first { $0.rawValue.prefix { $0 != "-" } == primary }
    }
}

/// One entry of `Accept-Language`: `de-AT;q=0.8`.
private struct LanguageRange {
    let tag: String
    let quality: Double

    init(_ text: String) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        tag = parts.first.map { String($0) } ?? ""
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }
        quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
}
