import Crypto
import DeviceKit
import Essentials

/// Messages between the device and the server: AES-256 with an integrity check, the key of each encrypted by RSA.
enum PGPMessage {
    private static let iv = [UInt8](repeating: 0, count: 16)
    /// The head of the last packet inside, whose body is a SHA-1 of all before it. Source: RFC 4880 §5.14.
    private static let checkHead: [UInt8] = [0xD3, 0x14]

    /// What the server said.
    ///
    /// - Parameter message: in binary form.
    static func decrypt(_ message: [UInt8], with key: PGPKey) throws -> [UInt8] {
        let packets = try PGPPacket.all(in: message)
        typealias Tag = PGPPacket.Tag
        guard packets.map(\.tag) == [Tag.encryptedSessionKey, Tag.protected],
            packets[1].body.first == 1
        else { throw DeviceError("the message has the packets \(packets.map(\.tag))") }
        let session = try sessionKey(packets[0].body, with: key)
        let plain = try AES.decryptCFB(Array(packets[1].body.dropFirst()), key: session, iv: iv)
        let covered = Array(plain.dropLast(20))
        guard plain.count > 40, Digest.sha1(covered) == Array(plain.suffix(20)),
            covered.suffix(2) == checkHead[...], covered[14..<16] == covered[16..<18]
        else { throw DeviceError("the message was changed on its way") }
        let inner = try PGPPacket.all(in: Array(covered.dropFirst(18).dropLast(2)))
        guard inner.map(\.tag) == [Tag.literal] else {
            throw DeviceError("the message has the packets \(inner.map(\.tag)) inside")
        }
        var reader = PGPReader(inner[0].body)
        _ = try reader.byte()
        _ = try reader.bytes(reader.integer(1) + 4)
        return reader.remainder()
    }

    /// - Parameters:
    ///   - signer: whose signature goes along; nil for none.
    ///   - time: of the signature, in seconds since 1970.
    /// - Returns: the binary form.
    static func encrypt(
        _ text: [UInt8], to certificate: PGPCertificate, signer: PGPKey?, at time: Int,
        draw: (Int) -> [UInt8]
    ) throws -> [UInt8] {
        let session = draw(32)
        let sum = session.reduce(0) { $0 + Int($1) }
        let key = certificate.encryption
        let sealed = try key.key.encryptPKCS1([9] + session + PGPNumber.bigEndian(sum, 2))
        let prefix = draw(16)
        let plain = try prefix + prefix.suffix(2) + content(text, signer: signer, at: time) + checkHead
        let body = try AES.encryptCFB(plain + Digest.sha1(plain), key: session, iv: iv)
        return PGPPacket(
            tag: PGPPacket.Tag.encryptedSessionKey, body: [3] + key.keyID + [1] + PGPNumber.encoded(sealed)
        ).bytes + PGPPacket(tag: PGPPacket.Tag.protected, body: [1] + body).bytes
    }

    private static func content(_ text: [UInt8], signer: PGPKey?, at time: Int) throws -> [UInt8] {
        let head: [UInt8] = [UInt8(ascii: "b"), 0, 0, 0, 0, 0]
        let literal = PGPPacket(tag: PGPPacket.Tag.literal, body: head + text).bytes
        guard let signer else { return literal }
        let announced = [3, 0, 8, 1] + (try signer.publicHalf().keyID) + [1]
        let signature = try PGPSignature.make(0x00, of: text, by: signer, at: time)
        return PGPPacket(tag: PGPPacket.Tag.onePassSignature, body: announced).bytes + literal
            + PGPPacket(tag: PGPPacket.Tag.signature, body: signature).bytes
    }

    private static func sessionKey(_ body: [UInt8], with key: PGPKey) throws -> [UInt8] {
        var reader = PGPReader(body)
        let half = try key.publicHalf()
        guard try reader.byte() == 3, try reader.bytes(8) == half.keyID, try reader.byte() == 1 else {
            throw DeviceError("the message is for another key")
        }
        let encoded = try key.secret().decryptPKCS1(
            PGPNumber.padded(reader.number(), to: half.byteCount))
        let session = Array(encoded.dropFirst().dropLast(2))
        let sum = session.reduce(0) { $0 + Int($1) }
        guard encoded.first == 9, session.count == 32,
            Array(encoded.suffix(2)) == PGPNumber.bigEndian(sum, 2)
        else { throw DeviceError("the session key is not of AES-256") }
        return session
    }
}
