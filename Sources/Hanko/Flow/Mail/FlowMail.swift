import Essentials
import HTTP
import PlatformKit

/// A mail of a flow: a passcode, or the notice that an address is not what somebody took it for.
///
/// Source: Hanko 2.7: sender, English subjects and the order of the lines; the sentences are our own.
struct FlowMail: Sendable {
    let purpose: FlowPasscode.Purpose
    let code: String
    let serviceName: String
    let ttl: Int
    let expiresAt: Date
    let address: String
    let language: MailLanguage

    var outgoing: OutgoingMail {
        OutgoingMail(message: message, type: purpose.rawValue, language: language, data: data)
    }

    /// What the webhook `email.send` tells beside the text.
    private var data: [String: JSONValue] {
        var data: [String: JSONValue] = ["service_name": .string(serviceName)]
        guard purpose.carriesCode else { return data }
        data["otp_code"] = .string(code)
        data["ttl"] = .integer(ttl)
        data["valid_until"] = .integer(Int(expiresAt.timeIntervalSince1970))
        return data
    }

    var message: Message {
        let texts = FlowMailTexts(
            purpose, language, code: code, serviceName: serviceName, minutes: max(1, ttl / 60))
        let (code, end) = purpose.carriesCode ? (code, expiresAt) : (nil, nil)
        return Message(
            kind: purpose.carriesCode ? "passcode" : "",
            from: Message.Address("noreply@hanko.io", name: "Hanko"),
            to: Message.Address(address), subject: texts.subject, text: texts.plain(code),
            html: texts.html(code, language), code: code, expiresAt: end, source: Hanko.name)
    }
}

extension FlowMailTexts {
    fileprivate func plain(_ code: String?) -> String {
        ([introduction] + (code.map { [$0] } ?? []) + (validity.map { [$0] } ?? [])).joined(separator: "\n\n")
            + "\n"
    }

    fileprivate func html(_ code: String?, _ language: MailLanguage) -> String {
        let number: HTML =
            code.map {
                "<p style=\"font-size: 2em; font-weight: bold; letter-spacing: 0.1em\">\($0)</p>\n"
            } ?? .none
        let end: HTML = validity.map { "<p>\($0)</p>\n" } ?? .none
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><title>\(subject)</title></head>
            <body style="font-family: sans-serif">
            <p>\(introduction)</p>
            \(number)\(end)</body>
            </html>

            """
        return page.text
    }
}
