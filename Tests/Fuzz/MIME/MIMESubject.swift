import Essentials
import Mail

/// Mails taken apart as CPython's `email` package takes them apart: `reference.py`, at the other end of two pipes, compares, and lists with reasons
/// where the two differ on purpose.
struct MIMESubject: Subject {
    static let name = "mime"
    static let memoryMiB: Int? = 128
    static let batch = 64

    private let reference = MailReference()

    /// A mail as it can come by SMTP: every line ends in CR LF, and no CR or LF stands alone.
    func input(_ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] {
        var mail: [UInt8] = []
        for byte in mutator.input(&random) where byte != 13 {
            if byte == 10 { mail.append(13) }
            mail.append(byte)
        }
        return mail
    }

    func check(_ input: [UInt8], _: inout SplitMix64) throws(Violation) {
        guard let reference else {
            throw Violation("there is no python3; script/bootstrap --tests installs it")
        }
        let found: String
        do {
            found = try reference.difference(Reading(input))
        } catch {
            throw Violation("the reference does not answer: \(error)")
        }
        guard found.isEmpty else { throw Violation(found) }
    }

    /// What ``MIMEMail`` reads of a mail.
    struct Reading: Encodable {
        struct Attachment: Encodable {
            let name: String
            let type: String
            let content: Data
        }

        let mail: Data
        let subject: String
        let from: [[String?]]
        let recipients: [[String?]]
        let text: String?
        let html: String?
        let attachments: [Attachment]

        init(_ bytes: [UInt8]) {
            // Limits are ours alone.
            var limits = MIMELimits()
            (limits.depth, limits.parts) = (400, 10_000)
            let read = MIMEMail(bytes, limits: limits)
            mail = Data(bytes)
            (subject, text, html) = (read.subject, read.text, read.html)
            from = read.from.map { [$0.address, $0.name] }
            recipients = read.recipients.map { [$0.address, $0.name] }
            attachments = read.attachments.map {
                Attachment(name: $0.name, type: $0.type, content: Data($0.content(in: bytes)))
            }
        }
    }
}
