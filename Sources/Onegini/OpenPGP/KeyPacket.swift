import Crypto
import Essentials

extension OpenPGP {
    /// The body of a public key or subkey of version 4. Source: RFC 4880 §5.5.2.
    struct KeyPacket: Sendable {
        let body: [UInt8]
        let createdAt: Date
        let material: KeyMaterial

        init(_ body: [UInt8]) throws(OpenPGPError) {
            var reader = Reader(body)
            let version = try reader.byte()
            guard version == 4 else { throw .keyVersion(version) }
            createdAt = try Date(timeIntervalSince1970: TimeInterval(reader.integer(4)))
            material = try KeyMaterial(&reader)
            guard reader.isAtEnd else {
                throw .malformed("a key is followed by bytes that do not belong to it")
            }
            self.body = body
        }

        /// Of an RSA key; `createdAt` in seconds since 1970.
        init(rsa key: PublicKey, createdAt: UInt32) throws(OpenPGPError) {
            let numbers = try OpenPGP.compute { try key.rsaNumbers() }
            try self.init(
                [4] + OpenPGP.bytes(of: Int(createdAt), count: 4) + [Algorithm.rsa]
                    + OpenPGP.number(numbers.modulus) + OpenPGP.number(numbers.exponent))
        }

        /// What signatures upon the key begin with, and what its fingerprint is the hash of.
        ///
        /// Source: RFC 4880 §5.2.4, §12.2.
        var hashed: [UInt8] { [0x99] + OpenPGP.bytes(of: body.count, count: 2) + body }

        /// 20 bytes
        var fingerprint: [UInt8] { Digest.sha1(hashed) }

        /// 8 bytes
        var keyID: [UInt8] { Array(fingerprint.suffix(8)) }
    }
}
