import Crypto
import Essentials
import Testing

@testable import Onegini

/// Nothing that can come over the wire may be more than an error.
struct DamageTests {
    private let vectors = OpenPGPVectors.shared
    private let now = OpenPGPVectors.keyTime

    @Test func `a message with any byte changed or cut off is an error or reads the same`() throws {
        let server = try vectors.serverKey()
        let device = try OpenPGPCertificate(vectors.deviceRSA, at: now)
        let plaintext = Array(vectors.toServerPlaintext.utf8)

        for armored in [vectors.toServerUnsigned, vectors.toServerSigned] {
            let message = try OpenPGP.Armor.message.decode(Array(armored.utf8))
            for damaged in damages(of: message) {
                do {
                    let read = try OpenPGPMessage.decrypt(damaged, with: server, signer: device)
                    #expect(read.plaintext == plaintext)
                } catch {
                    #expect(!error.explanation.isEmpty)
                }
            }
        }
    }

    @Test func `a certificate with any byte changed or cut off is an error or has the same keys`() throws {
        for armored in [vectors.deviceRSA, vectors.deviceCurve, vectors.server] {
            let certificate = try OpenPGPCertificate(armored, at: now)
            for damaged in damages(of: certificate.bytes) {
                do {
                    let read = try OpenPGPCertificate(damaged, at: now)
                    #expect(read.fingerprint == certificate.fingerprint)
                    #expect(read.encryptionKey.body == certificate.encryptionKey.body)
                } catch {
                    #expect(!error.explanation.isEmpty)
                }
            }
        }
    }

    @Test func `what is encrypted within may be anything`() throws {
        let builder = try MessageBuilder()
        let inside = try builder.signed("text").flatMap(\.encoded)
        let prefix = [UInt8](repeating: 1, count: 16)
        let recipient = try builder.recipient(builder.session.encoded)

        var readings = 0
        for damaged in damages(of: inside) {
            let body = try OpenPGP.ProtectedData.seal(damaged, builder.session, prefix: prefix)
            let message = [recipient, OpenPGP.Packet(tag: 18, body: body)]
            guard let read = try? builder.decrypt(message) else { continue }
            readings += 1
            #expect(read == (Array("text".utf8), true))
        }
        // The bytes that no signature covers: the one-pass packet, the form of the literal, the unhashed area.
        #expect(readings < damages(of: inside).count / 5)
    }

    @Test func `armor with any character changed or cut off is an error or reads the same`() throws {
        let text = Array(vectors.deviceCurve.utf8)
        let bytes = try OpenPGP.Armor.certificate.decode(text)

        for damaged in damages(of: text) {
            guard let read = try? OpenPGP.Armor.certificate.decode(damaged) else { continue }
            // A first byte that is not ASCII makes it the binary form; without its checksum nothing tells of a change.
            let isBinary = damaged.first.map { $0 & 0x80 != 0 } ?? true
            let hasChecksum = damaged.contains(UInt8(ascii: "=")) && damaged.count == text.count
            #expect(read == bytes || isBinary || !hasChecksum)
        }
    }

    @Test func `random packets are an error`() {
        let entropy = steadyEntropy()
        for round in 0..<20_000 {
            let body = entropy(round % 60)
            let tag: UInt8 = [0x99, 0xC6, 0x88, 0xCE, 0x85, 0xD2, 0xCB, 0x9A][round % 8]
            let bytes = [tag, UInt8(body.count), 4] + body

            #expect(throws: OpenPGPError.self) { try OpenPGPCertificate(bytes, at: now) }
            _ = try? OpenPGP.Packet.all(in: bytes)
            _ = try? OpenPGP.Signature([4] + body)
            _ = try? OpenPGP.KeyPacket([4] + body)
        }
    }

    /// Two changes of every byte, and every shorter length.
    private func damages(of bytes: [UInt8]) -> [[UInt8]] {
        let changed = bytes.indices.flatMap { place in
            ([0x01, 0xFF] as [UInt8]).map { mask in
                var copy = bytes
                copy[place] ^= mask
                return copy
            }
        }
        return changed + bytes.indices.map { Array(bytes.prefix($0)) }
    }
}
