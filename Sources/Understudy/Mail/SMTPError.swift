import PlatformKit

/// A mail server did not take a mail.
enum SMTPError: OutgoingFailure, Equatable, CustomStringConvertible {
    /// An address that could smuggle commands or that no server takes; nothing was sent.
    case addressUnusable(String)
    /// The server refused; the command as it was sent, and the answer's code and text.
    case refused(command: String, code: Int, text: String)
    /// What came is no SMTP reply.
    case replyMalformed(String)
    /// The server closed the connection in the middle.
    case closed(after: String)
    /// The server said how large a mail may be, in bytes.
    case tooLarge(limit: Int)
    /// The address is not ASCII and the server does not offer SMTPUTF8.
    case addressNotASCII(String)

    var description: String {
        switch self {
        case .addressUnusable(let address): "“\(Columns.plain(address))” cannot be used as an email address"
        case .refused(let command, let code, let text): "\(command) was answered with \(code) \(text)"
        case .replyMalformed(let text): "expected a reply such as “250 OK”, got “\(text)”"
        case .closed(let step): "the server closed the connection after \(step)"
        case .tooLarge(let limit): "the server takes mails up to \(limit) bytes"
        case .addressNotASCII(let address): "the server does not take the address \(address) (no SMTPUTF8)"
        }
    }

    /// Trying again without a change will not help. Source: RFC 5321 §4.2.1, codes 5yz.
    var isPermanent: Bool {
        switch self {
        case .refused(_, let code, _): (500...599).contains(code)
        case .addressUnusable, .tooLarge, .addressNotASCII: true
        case .replyMalformed, .closed: false
        }
    }
}
