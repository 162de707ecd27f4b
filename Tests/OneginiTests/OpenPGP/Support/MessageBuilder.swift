import Crypto
import Essentials

@testable import Onegini

/// Builds messages to the server of the vectors that no honest device would send.
struct MessageBuilder {
    let server: OpenPGPServerKey
    let signer: PrivateKey
    let signerCertificate: OpenPGPCertificate
    let session = OpenPGP.SessionKey(cipher: .aes128, key: [UInt8](repeating: 5, count: 16))

    init() throws {
        let vectors = OpenPGPVectors.shared
        server = try vectors.serverKey()
        signer = try PrivateKey(pem: vectors.deviceRSAPEM)
        signerCertificate = try OpenPGPCertificate(vectors.deviceRSA, at: OpenPGPVectors.keyTime)
    }

    func decrypt(_ packets: [OpenPGP.Packet]) throws(OpenPGPError) -> (plaintext: [UInt8], isSigned: Bool) {
        try OpenPGPMessage.decrypt(packets.flatMap(\.encoded), with: server, signer: signerCertificate)
    }

    /// A message whose inside are these packets.
    func message(_ inside: [OpenPGP.Packet]) throws -> [OpenPGP.Packet] {
        try [recipient(session.encoded), protected(inside)]
    }

    func recipient(_ encodedSession: [UInt8], keyID: [UInt8]? = nil) throws -> OpenPGP.Packet {
        let encrypted = try server.encryptionKey.publicKey.encryptPKCS1(encodedSession)
        return OpenPGP.Packet(
            tag: 1, body: [3] + (keyID ?? server.encryptionKeyID) + [1] + OpenPGP.number(encrypted))
    }

    func protected(_ inside: [OpenPGP.Packet]) throws -> OpenPGP.Packet {
        let prefix = [UInt8](repeating: 6, count: 16)
        return try OpenPGP.Packet(
            tag: 18, body: OpenPGP.ProtectedData.seal(inside.flatMap(\.encoded), session, prefix: prefix))
    }

    /// One-pass packet, text and signature.
    func signed(
        _ text: String, kind: UInt8 = 0, upon signedText: String? = nil, issuer: [UInt8]? = nil
    ) throws -> [OpenPGP.Packet] {
        let keyID = issuer ?? signerCertificate.encryptionKey.keyID
        let signature = try OpenPGP.Signature.make(
            kind, of: Array((signedText ?? text).utf8), hashed: .init([(.created, [0x65, 0x92, 0, 0x80])]),
            unhashed: .init([(.issuer, keyID)]), by: signer)
        return [
            OpenPGP.Packet(tag: 4, body: [3, kind, 8, 1] + keyID + [1]),
            OpenPGPMessage.literal(Array(text.utf8)),
            OpenPGP.Packet(tag: 2, body: signature),
        ]
    }
}
