package import Essentials

/// Something that a platform sends to a person: a mail, a text message or a push.
package struct Message: Sendable, Equatable, Codable {
    package enum Channel: String, Sendable, Codable, CaseIterable {
        case mail, sms, push
    }

    package struct Address: Sendable, Equatable, Codable {
        /// Mail address, telephone number or device token.
        package let address: String
        package let name: String?
        package init(_ address: String, name: String? = nil) {
            self.address = address
            self.name = name
        }
    }

    package var channel: Channel = .mail
    /// What the message is for, such as `passcode`, `otp`, `activation`, `link`; empty for a mere notice.
    package var kind: String
    package var from: Address
    package var to: Address
    package var subject: String
    package var text: String
    package var html: String?
    /// The code to type, when the message carries one.
    package var code: String?
    /// The link to follow, when the message carries one.
    package var link: String?
    /// When code or link stop working, by the world's clock.
    package var expiresAt: Date?
    /// The platform that sent it, or how a back end brought it: ``fromOutside``, ``fromControl``, ``fromTwilio``.
    package var source: String

    /// What people search in.
    var shownTexts: [String] { [subject, text, to.address, to.name ?? "", code ?? ""] }

    /// The source of mails that back ends brought by SMTP.
    package static let fromOutside = "smtp"
    /// The source of text messages that back ends brought by the control API, and as to Twilio.
    package static let fromControl = "api"
    package static let fromTwilio = "twilio"

    /// Whether a back end of the developer's wrote it, so that what is in it had to be found.
    package var isOfBackEnd: Bool { [Self.fromOutside, Self.fromControl, Self.fromTwilio].contains(source) }

    package init(
        _ channel: Channel = .mail, kind: String, from: Address, to: Address, subject: String, text: String,
        html: String? = nil, code: String? = nil, link: String? = nil, expiresAt: Date? = nil, source: String
    ) {
        self.channel = channel
        self.kind = kind
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.code = code
        self.link = link
        self.expiresAt = expiresAt
        self.source = source
    }
}

/// Where a platform puts messages. The world keeps them, wakes whoever waits for them, and passes them on where a relay is
/// set.
package struct Outbox: Sendable {
    package var deliver: @Sendable (Message) throws -> Void
    package init(deliver: @escaping @Sendable (Message) throws -> Void) { self.deliver = deliver }
}
