import Essentials
import HTTP
import PlatformKit

/// The mail that carries a passcode.
///
/// Source: Hanko 2.7: sender, subject and the order of the lines; the sentences are our own.
struct PasscodeMail: Sendable {
    let code: String
    let serviceName: String
    let passcode: Passcode
    let address: String
    let language: MailLanguage

    var message: Message {
        Message(
            kind: "passcode", from: Message.Address("noreply@hanko.io", name: "Hanko"),
            to: Message.Address(address),
            subject: texts.subject, text: text, html: html, code: code, expiresAt: passcode.expiresAt,
            source: Hanko.name)
    }

    /// What the webhook `email.send` says of it.
    var outgoing: OutgoingMail {
        OutgoingMail(
            message: message, type: "passcode", language: language,
            data: [
                "service_name": .string(serviceName), "otp_code": .string(code),
                "ttl": .integer(passcode.ttl),
                "valid_until": .integer(Int(passcode.expiresAt.timeIntervalSince1970)),
            ])
    }

    private var minutes: Int { max(1, passcode.ttl / 60) }

    private var texts: MailTexts {
        MailTexts(language, code: code, serviceName: serviceName, minutes: minutes)
    }

    private var text: String {
        "\(texts.introduction)\n\n\(code)\n\n\(texts.validity)\n"
    }

    private var html: String {
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><title>\(texts.subject)</title></head>
            <body style="font-family: sans-serif">
            <p>\(texts.introduction)</p>
            <p style="font-size: 2em; font-weight: bold; letter-spacing: 0.1em">\(code)</p>
            <p>\(texts.validity)</p>
            </body>
            </html>

            """
        return page.text
    }
}
