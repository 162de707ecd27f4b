import Essentials
import Testing

@testable import PlatformKit

@Suite struct MailComposerTests {
    private func compose(_ change: (inout Message) -> Void) -> String {
        var message = Message(
            kind: "passcode", from: .init("noreply@hanko.example", name: "Hanko"),
            to: .init("ada@example.com"),
            subject: "Your code", text: "Hello\n\n123456\n", source: "hanko")
        change(&message)
        return MailComposer(message: message, date: Date(timeIntervalSince1970: 880_127_706), token: "t1")
            .compose()
    }

    private func header(_ name: String, of mail: String) -> String? {
        mail.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    /// The instant of RFC 5322, appendix A.1.1, “Fri, 21 Nov 1997 09:55:06 -0600”.
    @Test func `the date is that of the RFC's example`() {
        #expect(header("Date", of: compose { _ in }) == "Fri, 21 Nov 1997 15:55:06 +0000")
    }

    @Test func `every line ends in CR LF, and none is longer than 998 characters`() {
        let mail = compose { $0.html = "<p>" + String(repeating: "long ", count: 1_000) + "\u{E9}</p>" }
        #expect(mail.replacing("\r\n", with: "").allSatisfy { $0 != "\n" && $0 != "\r" && $0 != "\r\n" })
        #expect(mail.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 998 })
        #expect(mail.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `nothing in a message begins a header of its own`() {
        let mail = compose {
            $0.subject = "Hi\r\nBcc: eve@example.com"
            $0.to = .init("ada@example.com\r\nX-Evil: 1", name: "Ada\nX-Evil: 2")
        }
        #expect(header("Bcc", of: mail) == nil)
        #expect(header("X-Evil", of: mail) == nil)
        #expect(header("Subject", of: mail) == "Hi  Bcc: eve@example.com")
    }

    /// RFC 2047 §8 shows such names as encoded words; the base64 is that of the UTF-8 bytes.
    @Test func `a name beyond ASCII is an encoded word, one with specials is quoted`() {
        #expect(
            header("To", of: compose { $0.to = .init("a@b.test", name: "Andr\u{E9}") })
                == "=?utf-8?B?QW5kcsOp?= <a@b.test>")
        #expect(
            header("To", of: compose { $0.to = .init("a@b.test", name: "Lovelace, \"Ada\"") })
                == "\"Lovelace, \\\"Ada\\\"\" <a@b.test>")
    }
}
