import Essentials
import PlatformKit

/// A folder that gets every mail as a file of its own.
struct MailFolder: Sendable {
    let path: String

    /// Makes the folder where it is missing.
    ///
    /// - Throws: ``Failure`` when there can be no such folder.
    init(path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure("cannot make the folder \(path) for mails: \(error.sentence)")
        }
        guard FileManager.default.isWritableFile(atPath: path) else {
            throw Failure("cannot write to the folder \(path) for mails")
        }
    }

    var destination: MailForwarder.Destination {
        MailForwarder.Destination(name: "folder \(path)") { try write($0) }
    }

    /// Writes the mail under a name that no other mail has; whoever lists the folder sees whole files only.
    func write(_ mail: Letter) throws {
        let bytes = Data(mail.raw)
        let stem = Self.name(mail.sent)
        for number in 1...1000 {
            let file = path + "/" + stem + (number == 1 ? "" : "-\(number)") + ".eml"
            guard BoundedFile.isThere(file) else {
                return try bytes.write(to: URL(filePath: file), options: .atomic)
            }
            // What cannot be read is another's.
            let present = try? BoundedFile.bytes(
                at: file, limit: mail.raw.count, of: "a mail", isPlain: true)
            // Mails of different worlds may share time, number and recipient. The same mail again is one attempt repeated.
            if present == mail.raw { return }
        }
        throw Failure("\(path) holds a thousand mails called \(stem)")
    }

    /// `20260102T030405.678Z-17-ada@example.com`, with nothing in it that a file system or a shell takes amiss.
    static func name(_ mail: SentMessage) -> String {
        let time = Timestamp.text(mail.sentAt).filter { $0 != "-" && $0 != ":" }
        let to = mail.message.to.address.unicodeScalars.prefix(80).map { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || "0123456789@._+-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "_"
        }
        return "\(time)-\(mail.id)-" + String(to)
    }
}
