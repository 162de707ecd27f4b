import Crypto

@testable import Onegini

/// A device with a key of Curve25519, as far as it decrypts. Source: RFC 6637 §8.
struct CurveDevice {
    struct Failure: Error {}

    let certificate: OpenPGPCertificate
    let secret: AgreementKey

    func decrypt(_ message: [UInt8]) throws -> [UInt8] {
        let packets = try OpenPGP.Packet.all(in: OpenPGP.Armor.message.decode(message))
        guard packets.map(\.tag) == [1, 18] else { throw Failure() }
        let session = try sessionKey(packets[0].body)
        let inside = try OpenPGP.Packet.all(in: OpenPGP.ProtectedData.open(packets[1].body, session))
        guard inside.map(\.tag) == [11] else { throw Failure() }
        return try OpenPGPMessage.text(ofLiteral: inside[0].body)
    }

    private func sessionKey(_ body: [UInt8]) throws -> OpenPGP.SessionKey {
        guard case .curve25519(let material) = certificate.encryptionKey.material else { throw Failure() }
        var reader = OpenPGP.Reader(body)
        guard try reader.bytes(10) == [3] + certificate.encryptionKey.keyID + [18] else { throw Failure() }
        let point = try reader.number()
        let wrapped = try reader.bytes(reader.integer(1))
        guard point.first == 0x40, reader.isAtEnd else { throw Failure() }
        let wrappingKey = material.wrappingKey(
            shared: try secret.sharedSecret(with: Array(point.dropFirst())),
            fingerprint: certificate.encryptionKey.fingerprint)
        let padded = try AES.unwrap(wrapped, by: wrappingKey)
        return try OpenPGP.SessionKey(encoded: padded.dropLast(Int(padded.last ?? 0)))
    }
}
