import HTTP
import Mail
import PlatformKit

/// A message of the outbox, as the API gives it and the pages show it.
struct MessageShape: Encodable {
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
    /// The platform that sent it, or `smtp`.
    let source: String
    /// Whether there is an HTML part.
    let html: Bool
    /// Of a mail that came by SMTP, where it is shown alone.
    var attachments: [AttachmentShape]?
    /// What is not shown as it was meant, in full sentences; there where the attachments are.
    var remarks: [String]?
}

struct AttachmentShape: Encodable {
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

extension MessageShape {
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
    init(_ letter: Letter) {
        self.init(letter.sent)
        guard letter.isFromOutside else { return }
        let mail = MIMEMail(letter.raw)
        attachments = mail.attachments.enumerated().map { AttachmentShape($1, number: $0 + 1, in: letter) }
        remarks = mail.remarks
    }
}
