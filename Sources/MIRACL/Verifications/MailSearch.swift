import Essentials
import PlatformKit

/// What a search asks for.
struct MailSearch {
    var from: [TextSearch] = []
    var to: [TextSearch] = []
    var subject: [TextSearch] = []
    var words: [TextSearch] = []
    var after: Date?

    /// - Throws: ``RequestRefusal`` for a text of more than ``TextSearch/longestWords``.
    init(_ text: String) throws {
        guard text.utf8.count <= TextSearch.longestWords else {
            throw RequestRefusal.memberMalformed(
                "query",
                "expected \(TextSearch.TooLong.expected), found one of \(text.utf8.count) bytes.")
        }
        for word in text.split(whereSeparator: \.isWhitespace).map({ $0.lowercased() }) {
            let value = word.drop { $0 != ":" }.dropFirst().trimmingQuotes
            switch word.prefix(while: { $0 != ":" }) {
            case "from": from.append(try TextSearch(value))
            case "to": to.append(try TextSearch(value))
            case "subject": subject.append(try TextSearch(value))
            case "after":
                guard let seconds = Double(value), seconds.isFinite else {
                    throw RequestRefusal.memberMalformed(
                        "query", "expected seconds since 1970 behind after:, found \(value.prefix(40)).")
                }
                after = Date(timeIntervalSince1970: seconds)
            default: words.append(try TextSearch(word.trimmingQuotes))
            }
        }
    }

    func fits(_ sent: SentMessage) -> Bool {
        let mail = sent.message
        if mail.channel != .mail { return false }
        if let after, sent.sentAt < after { return false }
        return from.allSatisfy { mail.from.says($0) } && to.allSatisfy { mail.to.says($0) }
            && subject.allSatisfy { $0.isIn(mail.subject) }
            && words.allSatisfy { $0.isIn(mail.subject) || $0.isIn(mail.text) }
    }
}

extension StringProtocol {
    fileprivate var trimmingQuotes: String { String(filter { $0 != "\"" }) }
}

extension Message.Address {
    fileprivate func says(_ words: TextSearch) -> Bool {
        words.isIn(address) || name.map(words.isIn) ?? false
    }
}
