import HTTP
import Mail
import PlatformKit

/// A message of the outbox, as the API gives it and the pages show it.
struct MessageJSON: Encodable {
    let id: Int
    let channel: String
    let kind: String
    let from: Message.Address
    let to: Message.Address
    let subject: String
    let text: String
    let code: String?
    let link: String?
    let sentAt: String
    let expiresAt: String?
    /// When its code or link was used up.
    let usedAt: String?
    /// The platform that sent it; `smtp`, `api` or `twilio` where a back end did.
    let source: String
    /// Whether there is an HTML part.
    let html: Bool
    /// Of a mail that came by SMTP, where it is shown alone.
    var attachments: [AttachmentJSON]?
    /// What is not shown as it was meant, in full sentences; there where the attachments are.
    var remarks: [String]?
    /// Every code found in what a back end sent, the surest first, where it is shown alone.
    var codes: [FoundCodeJSON]?
    var links: [FoundLinkJSON]?
    /// Why these are codes and other numbers are none; where it is asked for.
    var explanation: [DecisionJSON]?
}

/// A code that was found in a message of somebody's back end.
struct FoundCodeJSON: Encodable {
    let code: String
    /// The words around it, with it.
    let context: String
    /// From 45; the higher, the surer.
    let score: Int
    /// `subject`, `text`, `html`.
    let parts: [String]

    init(_ found: MailReading.Code) {
        (code, context, score, parts) = (found.code, found.context, found.score, found.parts.map(\.rawValue))
    }
}

struct FoundLinkJSON: Encodable {
    let link: String
    /// What stands on it.
    let text: String
    /// `verify`, `reset`, `activate`, `signin`, `invite` or `footer`.
    let goal: String?
    let score: Int

    init(_ found: FoundLink) {
        (link, text, goal, score) = (found.address, found.text, found.goal, found.score)
    }
}

/// What was decided of one piece of text that is written like a code.
struct DecisionJSON: Encodable {
    let candidate: String
    let part: String
    let context: String
    let isCode: Bool
    let score: Int
    /// Ends of a sentence that begins with the candidate.
    let reasons: [String]

    init(_ decision: CodeDecision) {
        (candidate, part, context) = (decision.code, decision.part.rawValue, decision.context)
        (isCode, score, reasons) = (decision.isCode, decision.score, decision.reasons.map(\.sentence))
    }
}

struct AttachmentJSON: Encodable {
    /// From 1, in the order of the mail.
    let number: Int
    let name: String
    let type: String
    /// Bytes.
    let size: Int

    init(_ attachment: MIMEMail.Attachment, number: Int, in letter: Letter) {
        self.number = number
        (name, type) = (attachment.name, attachment.type)
        size = attachment.content(in: letter.raw).count
    }
}

extension Letter {
    var isFromOutside: Bool { sent.message.source == Message.fromOutside }
}

extension MessageJSON {
    init(_ sent: SentMessage) {
        let message = sent.message
        self.init(
            id: sent.id, channel: message.channel.rawValue, kind: message.kind, from: message.from,
            to: message.to,
            subject: message.subject, text: message.text, code: message.code, link: message.link,
            sentAt: Timestamp.text(sent.sentAt), expiresAt: message.expiresAt.map(Timestamp.text),
            usedAt: sent.usedAt.map(Timestamp.text), source: message.source, html: message.html != nil)
    }

    /// The same of a whole letter, whose parts are looked at when it came from outside.
    ///
    /// - Parameter explains: also why which number is the code.
    init(_ letter: Letter, explains: Bool = false) {
        self.init(letter.sent)
        guard letter.sent.message.isOfBackEnd else { return }
        let reading: MailReading
        if letter.isFromOutside {
            let mail = MIMEMail(letter.raw)
            attachments = mail.attachments.enumerated().map {
                AttachmentJSON($1, number: $0 + 1, in: letter)
            }
            remarks = mail.remarks
            reading = MailReading(mail, isWhole: true)
        } else {
            reading = MailReading(subject: "", text: letter.sent.message.text, html: nil, isWhole: true)
        }
        codes = reading.codes.map { FoundCodeJSON($0) }
        links = reading.links.map { FoundLinkJSON($0) }
        if explains { explanation = reading.decisions.map { DecisionJSON($0) } }
    }
}
