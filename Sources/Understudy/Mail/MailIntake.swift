import Essentials
import Mail
import MailServer
import PlatformKit

/// Takes the mails that back ends bring by SMTP: finds the world of each recipient, and puts them into its outbox.
struct MailIntake: MailReceiver {
    let worlds: Worlds
    /// Tells this server's trace fields from those of others.
    let token: String

    func take(_ mail: [UInt8], _ envelope: Envelope, from client: MailClient) -> Result<String, MailFault> {
        do throws(MailFault) {
            guard !isOurs(mail) else { throw .loop }
            return .success(try keep(mail, envelope, client))
        } catch {
            note(error, envelope, from: client)
            return .failure(error)
        }
    }

    func note(_ fault: MailFault, _ envelope: Envelope, from client: MailClient) {
        // A world that cannot be opened has told so in answers already.
        guard let world = try? world(of: envelope.login?.user) ?? defaultWorld() else { return }
        world.services.journal.event(
            "mail refused",
            about: envelope.recipients.first ?? (envelope.sender.isEmpty ? nil : envelope.sender),
            "\(fault.explanation) \(client.address) got \(fault.code) \(fault.status).")
    }

    private func keep(_ mail: [UInt8], _ envelope: Envelope, _ client: MailClient) throws(MailFault) -> String
    {
        let read = MIMEMail(mail)
        do {
            let received = ReceivedMail(read, envelope)
            let numbers = try shares(of: envelope, naming: read.world).map { share in
                let kept = try share.world.receive(
                    share.recipients.map(received.message),
                    raw: trace(envelope, client, at: share.world.services.clock.now()) + mail)
                tell(of: kept, read, envelope, client, in: share.world)
                return Self.numbers(kept) + " in " + share.world.name
            }
            return "kept as " + numbers.joined(separator: ", ")
        } catch {
            throw .notKept("\(error)")
        }
    }

    private struct Share {
        let world: World
        var recipients: [String]
    }

    /// The recipients by their worlds, in the order of the mail.
    ///
    /// - Parameter named: what the mail names in `X-Understudy-World`.
    private func shares(of envelope: Envelope, naming named: String?) throws -> [Share] {
        let own =
            try world(of: named) ?? world(of: Self.tag(of: envelope.sender)) ?? world(
                of: envelope.login?.user)
            ?? defaultWorld()
        var shares: [Share] = []
        for recipient in envelope.recipients {
            let world = try world(of: Self.tag(of: recipient)) ?? own
            if let index = shares.firstIndex(where: { $0.world.name == world.name }) {
                shares[index].recipients.append(recipient)
            } else {
                shares.append(Share(world: world, recipients: [recipient]))
            }
        }
        return shares
    }

    /// Nil where the name is that of no world: then it is a name of the sender's own, and none is made.
    private func world(of name: String?) throws -> World? {
        guard let name, WorldName.isOne(name) else { return nil }
        return try worlds.world(name)
    }

    private func defaultWorld() throws -> World {
        guard let world = try worlds.world(Worlds.defaultName) else {
            throw Failure("there is no default world")
        }
        return world
    }

    /// `blue` of `ada+blue@example.com`.
    static func tag(of address: String) -> String? {
        guard let at = address.lastIndex(of: "@"), let plus = address[..<at].lastIndex(of: "+") else {
            return nil
        }
        return String(address[address.index(after: plus)..<at])
    }

    private func tell(
        of kept: [SentMessage], _ read: MIMEMail, _ envelope: Envelope, _ client: MailClient, in world: World
    ) {
        var sentence =
            "The mail “\(read.subject)” of <\(envelope.sender)> came from \(client.address) by \(envelope.transport); it is message "
            + "\(Self.numbers(kept))."
        if let login = envelope.login {
            sentence += " It authenticated by \(login.mechanism) as “\(Columns.plain(login.user))”, "
            sentence +=
                login.user == world.name
                ? "the name of this world." : "which is not why it is here; any name and password will do."
        }
        if let remark = Self.unknownTag(kept, world) { sentence += remark }
        sentence += read.remarks.map { " " + $0 }.joined()
        let departures = kept.map { sent in
            var departure = Departure(sent)
            departure.from = envelope.sender
            return departure
        }
        world.services.journal.event(
            "mail received", about: kept.first?.message.to.address, sentence, departures: departures)
    }

    /// `17`, or `17-19`: one transaction numbers its messages without a gap.
    private static func numbers(_ kept: [SentMessage]) -> String {
        guard let first = kept.first, let last = kept.last else { return "none" }
        return kept.count == 1 ? "\(first.id)" : "\(first.id)-\(last.id)"
    }

    /// A tag that looks like a world's name and is none is worth a word.
    private static func unknownTag(_ kept: [SentMessage], _ world: World) -> String? {
        for sent in kept {
            if let tag = tag(of: sent.message.to.address), WorldName.isOne(tag), tag != world.name {
                return " There is no world “\(tag)”, so that it counts as part of the address."
            }
        }
        return nil
    }

    // MARK: Trace fields. Source: RFC 5321 §4.4

    private func trace(_ envelope: Envelope, _ client: MailClient, at now: Date) -> [UInt8] {
        let address = client.address.contains(":") ? "IPv6:" + client.address : client.address
        let name = envelope.client.unicodeScalars.allSatisfy {
            $0.value > 0x20 && !"()<>;".unicodeScalars.contains($0)
        }
        return Array(
            """
            Return-Path: <\(envelope.sender)>\r
            Received: from \(name ? envelope.client : "unknown") ([\(address)]) by \(MailDialogue.ownName)\r
            \twith \(envelope.transport) id \(token); \(InternetDate.text(now))\r

            """.utf8)
    }

    /// Whether one of our trace fields stands in the header.
    private func isOurs(_ mail: [UInt8]) -> Bool {
        guard mail.starts(with: "Return-Path:".utf8) || mail.starts(with: "Received:".utf8) else {
            return false
        }
        return String(decoding: mail.prefix(4096), as: UTF8.self).contains(" id \(token);")
    }
}

/// A mail from outside as the outbox shows it.
struct ReceivedMail {
    private let mail: MIMEMail
    private let envelope: Envelope
    private let reading: MailReading

    init(_ mail: MIMEMail, _ envelope: Envelope) {
        (self.mail, self.envelope) = (mail, envelope)
        reading = MailReading(mail, isWhole: false)
    }

    /// - Parameter recipient: of the envelope, which may differ from what the header says.
    func message(to recipient: String) -> Message {
        let from = mail.from.first ?? Mailbox(envelope.sender)
        let named = mail.recipients.first { $0.address.lowercased() == recipient.lowercased() }
        return Message(
            kind: reading.kind,
            from: .init(from.address, name: from.name),
            to: .init(recipient, name: named?.name), subject: mail.subject, text: reading.text,
            html: mail.html, code: reading.code, link: reading.link,
            source: Message.fromOutside)
    }
}
