import Essentials
import HTTP
import PlatformKit

/// The mail that carries a passcode, or the notice of a flow that an address is not what somebody took it for.
///
/// Source: Hanko: sender, subjects in every language and the order of the lines; the sentences are our own.
struct PasscodeMail: Sendable {
    /// ``template`` of the classic endpoints.
    static let classic = "passcode"

    /// `passcode` on the classic endpoints, a ``FlowPasscode/Purpose`` in flows.
    let template: String
    /// Nil for a notice.
    let code: String?
    let serviceName: String
    /// Seconds.
    let ttl: Int
    let expiresAt: Date
    let address: String
    let language: MailLanguage

    func outgoing() throws -> OutgoingMail {
        let texts = try MailTexts.texts(language)
        let words = try texts.mail(template, ["code": code ?? "", "service": serviceName])
        let validity = code.map { _ in texts.validity(minutes: max(1, ttl / 60)) }
        let message = Message(
            kind: code == nil ? "" : "passcode", from: .hanko, to: Message.Address(address),
            subject: words.subject,
            text: [words.text, code, validity].compactMap(\.self).joined(separator: "\n\n") + "\n",
            html: MailPage(words, language, number: code, end: validity).text, code: code,
            expiresAt: code.map { _ in expiresAt },
            source: Vendor.name)
        return OutgoingMail(message: message, type: template, data: data)
    }

    /// What the webhook `email.send` tells beside the text.
    private var data: [String: JSONValue] {
        var data: [String: JSONValue] = ["service_name": .string(serviceName)]
        guard let code else { return data }
        data["otp_code"] = .string(code)
        data["ttl"] = .integer(ttl)
        data["valid_until"] = .integer(expiresAt.unixSeconds)
        return data
    }
}

extension PasscodeMail {
    /// The mail of a flow. A notice never says the code.
    init(
        _ purpose: FlowPasscode.Purpose, code: String, serviceName: String, ttl: Int, expiresAt: Date,
        address: String, language: MailLanguage
    ) {
        self.init(
            template: purpose.rawValue, code: purpose.carriesCode ? code : nil, serviceName: serviceName,
            ttl: ttl, expiresAt: expiresAt, address: address, language: language)
    }
}

extension Message.Address {
    /// Who sends mails until the configuration says otherwise.
    static let hanko = Message.Address("noreply@hanko.io", name: "Hanko")
}
