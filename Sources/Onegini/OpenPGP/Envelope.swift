import Crypto

extension OpenPGPMessage {
    /// The outside of a message: the session key for each recipient, and the data. Source: RFC 4880 §11.3.
    struct Envelope {
        private let recipients: [Recipient]
        private let protected: [UInt8]

        init(_ packets: [OpenPGP.Packet]) throws(OpenPGPError) {
            guard let data = packets.last else { throw .malformed("there is no packet") }
            switch data.tag {
            case OpenPGP.Tag.protected where data.body.first == 1: protected = data.body
            case OpenPGP.Tag.protected, OpenPGP.Tag.authenticated: throw .newerProtection
            case OpenPGP.Tag.encrypted: throw .notProtected
            case OpenPGP.Tag.encryptedSessionKey: throw .malformed("the encrypted data are missing")
            default: throw .notEncrypted
            }
            var recipients: [Recipient] = []
            for packet in packets.dropLast() {
                switch packet.tag {
                case OpenPGP.Tag.encryptedSessionKey: recipients.append(try Recipient(packet.body))
                // The message may be meant for a password as well.
                case OpenPGP.Tag.passwordSessionKey: break
                default: throw .malformed("a packet of the tag \(packet.tag) stands before encrypted data")
                }
            }
            if recipients.count > OpenPGP.maximumRecipients { throw .tooManyRecipients(recipients.count) }
            self.recipients = recipients
        }

        /// The packets inside of it.
        func open(with key: OpenPGPServerKey) throws(OpenPGPError) -> [UInt8] {
            var fault = OpenPGPError.notForServer(
                recipients: recipients.map(\.name), expected: Hex.encode(key.encryptionKeyID).uppercased())
            var session: OpenPGP.SessionKey?
            for recipient in recipients where recipient.mayBe(key) {
                do {
                    session = try recipient.sessionKey(with: key)
                    break
                } catch {
                    fault = error
                }
            }
            let opened = Result { () throws(OpenPGPError) in
                try OpenPGP.ProtectedData.open(protected, session ?? standIn)
            }
            if session == nil { throw fault }
            return try opened.get()
        }

        /// Takes as long as the right key, and is none.
        private var standIn: OpenPGP.SessionKey {
            OpenPGP.SessionKey(
                cipher: .aes256, key: [UInt8](repeating: 0, count: OpenPGP.Cipher.aes256.keyCount))
        }
    }
}
