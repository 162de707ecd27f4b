import Crypto
import DeviceKit
import Essentials

/// A public key of RSA as a packet holds it. Source: RFC 4880 §5.5.2.
struct PGPPublicKey: Equatable {
    let body: [UInt8]
    let key: PublicKey

    init(_ body: [UInt8]) throws {
        var reader = PGPReader(body)
        guard try reader.byte() == 4 else { throw DeviceError("a key of another version than 4") }
        _ = try reader.integer(4)
        guard try reader.byte() == 1 else { throw DeviceError("a key that is not of RSA") }
        key = try PublicKey(modulus: reader.number(), exponent: reader.number())
        guard reader.isAtEnd else { throw DeviceError("something follows the key") }
        self.body = body
    }

    /// - Parameter createdAt: seconds since 1970.
    init(_ key: PublicKey, createdAt: Int) throws {
        let numbers = try key.rsaNumbers()
        body =
            [4] + PGPNumber.bigEndian(createdAt, 4) + [1] + PGPNumber.encoded(numbers.modulus)
            + PGPNumber.encoded(numbers.exponent)
        self.key = key
    }

    /// Source: RFC 4880 §12.2.
    var fingerprint: [UInt8] { Digest.sha1(hashed) }
    var keyID: [UInt8] { Array(fingerprint.suffix(8)) }
    /// As signatures cover it.
    var hashed: [UInt8] { [0x99] + PGPNumber.bigEndian(body.count, 2) + body }

    /// The size of what it encrypts to, and of signatures.
    var byteCount: Int { if case .rsa(let bits) = key.kind { (bits + 7) / 8 } else { 0 } }
}

/// The key pair of an enrolment: one key of RSA that signs and that the server encrypts to.
struct PGPKey: Sendable, Codable, Equatable {
    private static let userID = Array("Understudy phone <phone@localhost>".utf8)

    /// `-----BEGIN PRIVATE KEY-----`
    private let pem: String
    /// Seconds since 1970.
    private let createdAt: Int

    /// - Parameter pem: at least 2048 bits.
    init(pem: String, createdAt: Int) { (self.pem, self.createdAt) = (pem, createdAt) }

    func secret() throws -> PrivateKey { try PrivateKey(pem: pem) }
    func publicHalf() throws -> PGPPublicKey { try PGPPublicKey(secret().publicKey, createdAt: createdAt) }

    /// The certificate in armor.
    func certificate() throws -> String {
        let key = try publicHalf()
        let subject = [0xB4] + PGPNumber.bigEndian(Self.userID.count, 4) + Self.userID
        // May certify, sign and encrypt; AES alone; an integrity check and no compression.
        let claims: [[UInt8]] = [[27, 0x0F], [11, 9, 8, 7], [21, 8, 10], [22, 0], [30, 1]]
        let signature = try PGPSignature.make(
            0x13, of: key.hashed + subject, claims: claims, by: self, at: createdAt)
        return PGPArmor.encode(
            PGPPacket(tag: PGPPacket.Tag.publicKey, body: key.body).bytes
                + PGPPacket(tag: PGPPacket.Tag.userID, body: Self.userID).bytes
                + PGPPacket(tag: PGPPacket.Tag.signature, body: signature).bytes)
    }
}

/// Bodies of signature packets: version 4, RSA with SHA-256. Source: RFC 4880 §5.2.3, §5.2.4.
enum PGPSignature {
    /// - Parameters:
    ///   - claims: subpackets, each its kind and its value.
    ///   - time: seconds since 1970.
    static func make(
        _ kind: UInt8, of content: [UInt8], claims: [[UInt8]] = [], by key: PGPKey, at time: Int
    ) throws -> [UInt8] {
        let half = try key.publicHalf()
        let hashed = area([[2] + PGPNumber.bigEndian(time, 4)] + claims + [[33, 4] + half.fingerprint])
        let header = [4, kind, 1, 8] + hashed
        let message = content + trailer(header)
        let signature = try key.secret().sign(message, with: .rs256)
        return header + area([[16] + half.keyID]) + Digest.sha256(message).prefix(2)
            + PGPNumber.encoded(signature)
    }

    /// Whether the body is a signature of that kind upon the content, by the key.
    static func isValid(
        _ body: [UInt8], _ kind: UInt8, of content: [UInt8], by key: PGPPublicKey
    ) throws -> Bool {
        var reader = PGPReader(body)
        let head = try reader.bytes(4)
        guard head == [4, kind, 1, 8] else { return false }
        let hashed = try reader.bytes(reader.integer(2))
        _ = try reader.bytes(reader.integer(2) + 2)
        let signature = PGPNumber.padded(try reader.number(), to: key.byteCount)
        let header = head + PGPNumber.bigEndian(hashed.count, 2) + hashed
        return key.key.isValid(signature, for: content + trailer(header), with: .rs256)
    }

    private static func area(_ subpackets: [[UInt8]]) -> [UInt8] {
        let bytes = subpackets.flatMap { [UInt8($0.count)] + $0 }
        return PGPNumber.bigEndian(bytes.count, 2) + bytes
    }

    private static func trailer(_ header: [UInt8]) -> [UInt8] {
        header + [4, 0xFF] + PGPNumber.bigEndian(header.count, 4)
    }
}

/// The server's certificate: a key that certifies, and below it one to encrypt to.
struct PGPCertificate {
    let primary: PGPPublicKey
    let encryption: PGPPublicKey

    /// - Parameter text: armored or in Base64.
    /// - Throws: ``DeviceError`` when a part is missing, or a signature wrong.
    init(_ text: String) throws {
        let packets = try PGPPacket.all(in: PGPArmor.decode(text))
        let tags = packets.map(\.tag)
        typealias Tag = PGPPacket.Tag
        guard tags == [Tag.publicKey, Tag.userID, Tag.signature, Tag.publicSubkey, Tag.signature] else {
            throw DeviceError("the server's certificate has the packets \(tags)")
        }
        primary = try PGPPublicKey(packets[0].body)
        encryption = try PGPPublicKey(packets[3].body)
        let userID = packets[1].body
        let certified = primary.hashed + [0xB4] + PGPNumber.bigEndian(userID.count, 4) + userID
        guard
            try PGPSignature.isValid(packets[2].body, 0x13, of: certified, by: primary),
            try PGPSignature.isValid(
                packets[4].body, 0x18, of: primary.hashed + encryption.hashed, by: primary)
        else { throw DeviceError("the server's certificate is not signed by its own key") }
    }

    /// 40 hexadecimal digits in upper case.
    var fingerprint: String { Hex.encode(primary.fingerprint).uppercased() }
}
