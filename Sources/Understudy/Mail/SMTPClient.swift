import PlatformKit
import Sockets

/// Hands one mail at a time to a mail server. Source: RFC 5321; SIZE RFC 1870, 8BITMIME RFC 6152, SMTPUTF8 RFC 6531.
///
/// No authentication and no STARTTLS: it is meant for a mail catcher in the same network.
struct SMTPClient: Sendable {
    let host: String
    let port: Int
    /// Seconds that the server may take for each answer.
    var timeout = 10.0

    /// Where the queue of outgoing mails finds this server.
    var destination: MailForwarder.Destination {
        MailForwarder.Destination(name: "relay \(host):\(port)") { mail in
            try send(mail.raw, from: mail.sent.message.from.address, to: mail.sent.message.to.address)
        }
    }

    /// One attempt. When it returns, the server has taken the mail.
    ///
    /// - Parameter mail: RFC 5322 text.
    /// - Throws: ``SMTPError``, `SocketError`.
    func send(_ mail: [UInt8], from: String, to: String) throws {
        let sender = try SMTPAddress(from)
        let recipient = try SMTPAddress(to)
        let socket = try ClientSocket.connect(host: host, port: port, timeout: timeout)
        defer { socket.close() }
        var session = SMTPSession(socket: socket)
        let offers = try session.greet()
        try session.say(envelope(sender, recipient, mail, offers))
        try session.say("RCPT TO:<\(recipient.text)>")
        try session.say("DATA", expecting: 300...399)
        try session.send(Self.stuffed(mail))
        // The mail is theirs now; whatever becomes of the farewell.
        _ = try? session.say("QUIT")
    }

    private func envelope(
        _ sender: SMTPAddress, _ recipient: SMTPAddress, _ mail: [UInt8], _ offers: SMTPSession.Offers
    ) throws -> String {
        var line = "MAIL FROM:<\(sender.text)>"
        if let limit = offers.sizeLimit {
            if limit > 0, mail.count > limit { throw SMTPError.tooLarge(limit: limit) }
            line += " SIZE=\(mail.count)"
        }
        if offers.takesEightBits, !mail.allSatisfy({ $0 < 0x80 }) { line += " BODY=8BITMIME" }
        for address in [sender, recipient] where !address.isASCII && !offers.takesUTF8 {
            throw SMTPError.addressNotASCII(address.text)
        }
        return line + (sender.isASCII && recipient.isASCII ? "" : " SMTPUTF8")
    }

    /// The text with every line ended by CR LF, a point put before each that begins with one, and the final point.
    ///
    /// Source: RFC 5321 §4.5.2; bare CR and LF never go out (§2.3.8).
    static func stuffed(_ mail: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(mail.count + 64)
        var isLineStart = true
        var afterReturn = false
        for byte in mail {
            if byte == 0x0A, afterReturn {
                afterReturn = false
                continue
            }
            afterReturn = byte == 0x0D
            if byte == 0x0D || byte == 0x0A {
                bytes += [0x0D, 0x0A]
                isLineStart = true
            } else {
                if isLineStart, byte == UInt8(ascii: ".") { bytes.append(byte) }
                bytes.append(byte)
                isLineStart = false
            }
        }
        if !isLineStart { bytes += [0x0D, 0x0A] }
        return bytes + Array(".\r\n".utf8)
    }
}
