import Crypto

extension OpenPGPMessage {
    /// The inside of a message: text, with a signature around it or without. Source: RFC 4880 §11.3.
    struct SignedContent {
        let text: [UInt8]
        private let signature: OpenPGP.Signature?

        init(_ packets: [OpenPGP.Packet]) throws(OpenPGPError) {
            typealias Tag = OpenPGP.Tag
            if packets.contains(where: { $0.tag == Tag.compressed }) { throw .compressed }
            switch packets.map(\.tag) {
            case [Tag.literal]:
                text = try OpenPGPMessage.text(ofLiteral: packets[0].body)
                signature = nil
            case [Tag.onePassSignature, Tag.literal, Tag.signature]:
                text = try OpenPGPMessage.text(ofLiteral: packets[1].body)
                signature = try OpenPGP.Signature(packets[2].body)
            case let tags:
                throw .malformed(
                    "a text with at most one signature was expected inside, not the packets \(tags)")
            }
        }

        /// - Throws: when there is a signature and it is not a right one by `signer`.
        func isSigned(by signer: OpenPGPCertificate?) throws(OpenPGPError) -> Bool {
            guard let signature, let signer else { return false }
            let keys = signer.signingKeys.filter(signature.names)
            guard let key = keys.first else {
                throw .signedByAnother(issuer: Hex.encode(signature.issuer ?? []).uppercased())
            }
            try signature.check(content(for: signature.kind), by: key)
            return true
        }

        /// RFC 4880 §5.2.1: a signature is upon the bytes, or upon text with line ends of two characters.
        private func content(for kind: UInt8) throws(OpenPGPError) -> [UInt8] {
            switch kind {
            case 0x00: return text
            case 0x01: return Self.canonical(text)
            default: throw .malformed("a signature of the kind \(kind), which is not upon a message")
            }
        }

        private static func canonical(_ text: [UInt8]) -> [UInt8] {
            var canonical: [UInt8] = []
            for byte in text {
                if byte == 0x0A, canonical.last != 0x0D { canonical.append(0x0D) }
                canonical.append(byte)
            }
            return canonical
        }
    }
}
