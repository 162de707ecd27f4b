import HTTP
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
    /// The platform that sent it.
    let source: String
    /// Whether there is an HTML part.
    let html: Bool
}

extension MessageShape {
    init(_ sent: SentMessage) {
        let message = sent.message
        self.init(
            id: sent.id, channel: message.channel.rawValue, kind: message.kind, from: message.from,
            to: message.to,
            subject: message.subject, text: message.text, code: message.code, link: message.link,
            sentAt: Timestamp.text(sent.sentAt), expiresAt: message.expiresAt.map(Timestamp.text),
            source: message.source, html: message.html != nil)
    }
}
