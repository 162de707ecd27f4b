import Essentials
import Testing

@testable import PlatformKit
@testable import Understudy

@Suite struct MailFolderTests {
    private func mail(
        _ id: Int = 17, to address: String = "ada@example.com", raw: String = "Subject: x\r\n\r\nž\r\n"
    ) -> Letter {
        let message = Message(
            kind: "passcode", from: .init("noreply@example.com"), to: .init(address), subject: "x", text: "x",
            source: "hanko")
        let sent = SentMessage(
            id: id, sentAt: Date(timeIntervalSince1970: 1_767_323_045.678), message: message)
        return Letter(sent: sent, raw: Array(raw.utf8))
    }

    @Test func `a mail becomes a file with its exact text, named after time, number and recipient`() throws {
        try withFolder { folder in
            try MailFolder(path: folder + "/new").write(mail())

            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder + "/new") == [
                    "20260102T030405.678Z-17-ada@example.com.eml"
                ])
            let file = folder + "/new/20260102T030405.678Z-17-ada@example.com.eml"
            #expect(FileManager.default.contents(atPath: file) == Data("Subject: x\r\n\r\nž\r\n".utf8))
        }
    }

    @Test func `mails of two worlds that agree in all of that both stay`() throws {
        try withFolder { path in
            let folder = try MailFolder(path: path)
            try folder.write(mail(raw: "one"))
            try folder.write(mail(raw: "two"))

            #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)
        }
    }

    @Test func `the same mail again is one file`() throws {
        try withFolder { path in
            let folder = try MailFolder(path: path)
            try folder.write(mail())
            try folder.write(mail())

            #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
        }
    }

    @Test(arguments: [
        ("../../etc/passwd@x", "20260102T030405.678Z-17-.._.._etc_passwd@x"),
        ("a b;$(rm)@x\n", "20260102T030405.678Z-17-a_b___rm_@x_"),
        ("žofie@example.com", "20260102T030405.678Z-17-_ofie@example.com"),
    ])
    func `a recipient cannot lead out of the folder`(_ address: String, _ name: String) {
        #expect(MailFolder.name(mail(to: address).sent) == name)
    }

    @Test func `a recipient of any length fits into a file name`() {
        #expect(MailFolder.name(mail(to: String(repeating: "a", count: 5000)).sent).utf8.count < 200)
    }

    @Test func `a folder that cannot be is said at the start`() throws {
        try withFolder { path in
            try Data("x".utf8).write(to: URL(filePath: path + "/file"))
            #expect(throws: Failure.self) { try MailFolder(path: path + "/file/sub") }
        }
    }
}
