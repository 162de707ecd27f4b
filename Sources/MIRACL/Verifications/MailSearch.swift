import Essentials
import PlatformKit

/// What a search asks for.
struct MailSearch {
    var from: [String] = []
    var to: [String] = []
    var subject: [String] = []
    var words: [String] = []
    var after: Date?

    init(_ text: String) throws {
        for word in text.split(whereSeparator: \.isWhitespace).map({ $0.lowercased() }) {
            let value = word.drop { $0 != ":" }.dropFirst().trimmingQuotes
            switch word.prefix(while: { $0 != ":" }) {
            case "from": from.append(value)
            case "to": to.append(value)
            case "subject": subject.append(value)
            case "after":
                guard let seconds = Double(value), seconds.isFinite else {
                    throw RequestRefusal.memberMalformed(
                        "query", "expected seconds since 1970 behind after:, found \(value.prefix(40)).")
                }
                after = Date(timeIntervalSince1970: seconds)
            default: words.append(word.trimmingQuotes)
            }
        }
    }

    func fits(_ sent: SentMessage) -> Bool {
        let mail = sent.message
        if mail.channel != .mail { return false }
        if let after, sent.sentAt < after { return false }
        return from.allSatisfy { mail.from.holds($0) } && to.allSatisfy { mail.to.holds($0) }
            && subject.allSatisfy { mail.subject.lowercased().contains($0) }
            && words.allSatisfy { (mail.subject + "\n" + mail.text).lowercased().contains($0) }
    }
}

extension StringProtocol {
    fileprivate var trimmingQuotes: String { String(filter { $0 != "\"" }) }
}

extension Message.Address {
    fileprivate func holds(_ text: String) -> Bool {
        (address + " " + (name ?? "")).lowercased().contains(text)
    }
}
