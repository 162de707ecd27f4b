import Essentials

/// Writes a message as RFC 5322 text with MIME parts (RFC 2045–2047), lines ending in CR LF.
///
/// Bodies are UTF-8 in base64 when they hold anything but short ASCII lines; names and subjects that need it are encoded
/// words. Nothing in a message can begin a header of its own: control characters become spaces.
struct MailComposer {
    let message: Message
    let date: Date
    /// Left part of the `Message-ID`, and of the multipart boundary.
    let token: String

    func compose() -> String {
        var lines = [
            "Date: " + InternetDate.text(date),
            "From: " + mailbox(message.from),
            "To: " + mailbox(message.to),
            "Subject: " + EncodedWord.unstructured(message.subject),
            "Message-ID: <\(token)@\(domain)>",
            "MIME-Version: 1.0",
            "X-Understudy-Source: \(EncodedWord.clean(message.source))",
            "X-Understudy-Channel: \(message.channel.rawValue)",
        ]
        guard let html = message.html else {
            lines += part("text/plain", message.text)
            return lines.joined(separator: "\r\n") + "\r\n"
        }
        let boundary = "=_\(token)"
        lines += ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", ""]
        lines += ["--\(boundary)"] + part("text/plain", message.text)
        lines += ["--\(boundary)"] + part("text/html", html)
        lines += ["--\(boundary)--"]
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    private var domain: String {
        let domain = message.from.address.split(separator: "@").last.map(String.init) ?? ""
        return domain.isEmpty ? "understudy.localhost" : EncodedWord.clean(domain)
    }

    private func mailbox(_ address: Message.Address) -> String {
        let plain = EncodedWord.clean(address.address)
        guard let name = address.name, !name.isEmpty else { return plain }
        return EncodedWord.phrase(name) + " <\(plain)>"
    }

    private func part(_ type: String, _ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasSuffix("\r") ? String($0.dropLast()) : String($0)
        }
        let isPlain = lines.allSatisfy {
            $0.utf8.count <= 76 && $0.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 9 }
        }
        let head = "Content-Type: \(type); charset=utf-8"
        if isPlain { return [head, "Content-Transfer-Encoding: 7bit", ""] + lines }
        let encoded = Data(lines.joined(separator: "\r\n").utf8).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return [head, "Content-Transfer-Encoding: base64", "", encoded]
    }
}
