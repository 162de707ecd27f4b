extension OpenPGP {
    /// The packets of a certificate, each signature beside what it signs. Source: RFC 4880 §11.1.
    struct TransferableKey {
        /// A user id or a subkey with the signatures that follow it.
        struct Part<Subject> {
            let subject: Subject
            var signatures: [Signature] = []
        }

        let primary: KeyPacket
        private(set) var direct: [Signature] = []
        /// User ids, by what signatures upon them hash.
        private(set) var userIDs: [Part<[UInt8]>] = []
        /// Subkeys; those of an algorithm that is not spoken here are left out.
        private(set) var subkeys: [Part<KeyPacket>] = []

        /// What the next signature belongs to.
        private enum Place { case primary, userID, subkey, nothing }

        init(_ bytes: [UInt8]) throws(OpenPGPError) {
            var packets = try Packet.all(in: bytes)[...]
            guard let first = packets.popFirst() else { throw .malformed("there is no packet") }
            if first.tag == Tag.secretKey { throw .secretKeySent }
            guard first.tag == Tag.publicKey else {
                throw .malformed("a public key was expected first, not a packet of the tag \(first.tag)")
            }
            primary = try KeyPacket(first.body)
            var place = Place.primary
            for packet in packets { place = try add(packet, at: place) }
        }

        private mutating func add(_ packet: Packet, at place: Place) throws(OpenPGPError) -> Place {
            switch packet.tag {
            case Tag.publicKey: throw .severalCertificates
            case Tag.secretKey, Tag.secretSubkey: throw .secretKeySent
            case Tag.userID:
                // RFC 4880 §5.2.4
                let head = [0xB4] + OpenPGP.bytes(of: packet.body.count, count: 4)
                userIDs.append(Part(subject: head + packet.body))
                return .userID
            case Tag.publicSubkey: return try add(subkey: packet.body)
            case Tag.userAttribute: return .nothing
            case Tag.signature: try add(signature: packet.body, at: place)
            case Tag.trust: break
            default: throw .malformed("a packet of the tag \(packet.tag) stands in a certificate")
            }
            return place
        }

        private mutating func add(subkey body: [UInt8]) throws(OpenPGPError) -> Place {
            do {
                subkeys.append(Part(subject: try KeyPacket(body)))
                return .subkey
            } catch {
                guard case .keyAlgorithm = error else { throw error }
                return .nothing
            }
        }

        private mutating func add(signature body: [UInt8], at place: Place) throws(OpenPGPError) {
            // Signatures of other versions were made by other programs for other readers.
            guard body.first == 4 else { return }
            let signature = try Signature(body)
            switch place {
            case .primary: direct.append(signature)
            case .userID: userIDs[userIDs.count - 1].signatures.append(signature)
            case .subkey: subkeys[subkeys.count - 1].signatures.append(signature)
            case .nothing: break
            }
        }
    }
}
