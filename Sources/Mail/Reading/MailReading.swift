/// What of a mail a person types or follows.
package struct MailReading: Sendable {
    /// A code, once for all places where it stands.
    package struct Code: Sendable, Equatable {
        package let code: String
        /// Of the best place, with it.
        package let context: String
        package let score: Int
        package var parts: [CodeDecision.Part]
    }

    package let code: String?
    package let link: String?
    /// The surest first.
    package let codes: [Code]
    package let links: [FoundLink]
    /// Why these are codes and others are none, in the order of the mail.
    package let decisions: [CodeDecision]
    /// What the mail says in plain text: of the HTML when there is no text.
    package let text: String

    /// What the message is for, as the outbox calls it: empty for one that has neither code nor link.
    package var kind: String { code != nil ? "passcode" : link != nil ? "link" : "" }

    /// - Parameter isWhole: also looks through the HTML when the text has a code already, to tell of all places.
    package init(_ mail: MIMEMail, isWhole: Bool) {
        self.init(subject: mail.subject, text: mail.text, html: mail.html, isWhole: isWhole)
    }

    /// - Parameters: subject, plain part and HTML part of a mail, or the text of a text message alone.
    package init(subject: String, text: String?, html: String?, isWhole: Bool) {
        let page = html.map { HTMLText($0) }
        let finder = CodeFinder(subject: subject, text: text, html: page?.plain, isWhole: isWhole)
        let found = LinkFinder(text: text ?? "", links: page?.links ?? [])
        (code, decisions) = (finder.code, finder.decisions)
        codes = Self.codes(of: finder)
        (link, links) = (found.link, found.links)
        let plain = text ?? ""
        self.text = plain.utf8.contains { $0 > 0x20 } ? plain : page?.plain ?? plain
    }

    private static func codes(of finder: CodeFinder) -> [Code] {
        var codes: [Code] = []
        for decision in finder.decisions where decision.isCode {
            if let index = codes.firstIndex(where: { $0.code == decision.code }) {
                let old = codes[index]
                let parts = old.parts.contains(decision.part) ? old.parts : old.parts + [decision.part]
                let isBetter = decision.score > old.score
                codes[index] = Code(
                    code: old.code, context: isBetter ? decision.context : old.context,
                    score: max(old.score, decision.score), parts: parts)
            } else {
                codes.append(
                    Code(
                        code: decision.code, context: decision.context, score: decision.score,
                        parts: [decision.part]))
            }
        }
        let first = finder.code
        return codes.sorted { ($0.code == first ? 1 : 0, $0.score) > ($1.code == first ? 1 : 0, $1.score) }
    }
}
