import Crypto

extension OpenPGP {
    /// The body of a signature packet of version 4. Source: RFC 4880 §5.2.3.
    struct Signature {
        let kind: UInt8
        let algorithm: UInt8
        let hash: UInt8
        let hashed: Subpackets
        let unhashed: Subpackets
        /// The first 2 bytes of the hash.
        let hashStart: [UInt8]
        let numbers: [[UInt8]]

        init(_ body: [UInt8]) throws(OpenPGPError) {
            var reader = Reader(body)
            let version = try reader.byte()
            guard version == 4 else { throw .malformed("a signature of version \(version) instead of 4") }
            kind = try reader.byte()
            algorithm = try reader.byte()
            hash = try reader.byte()
            hashed = try Subpackets(reader.bytes(reader.integer(2)))
            unhashed = try Subpackets(reader.bytes(reader.integer(2)))
            hashStart = try reader.bytes(2)
            var numbers: [[UInt8]] = []
            while !reader.isAtEnd { numbers.append(try reader.number()) }
            self.numbers = numbers
        }

        /// The key that says it made the signature: a fingerprint of 20 bytes, a key id of 8, or nothing.
        var issuer: [UInt8]? {
            for area in [hashed, unhashed] {
                // The fingerprint follows the version of the key.
                if let issuer = area[.issuerFingerprint], issuer.first == 4 {
                    return Array(issuer.dropFirst())
                }
            }
            return hashed[.issuer] ?? unhashed[.issuer]
        }

        /// Whether the signature says it is by `key`, or does not say by which.
        func names(_ key: KeyPacket) -> Bool {
            guard let issuer else { return true }
            return key.fingerprint == issuer || key.keyID == issuer
        }

        /// - Parameter content: what the signature's kind says is hashed before the signature itself.
        func check(_ content: [UInt8], by key: KeyPacket) throws(OpenPGPError) {
            guard let hash = HashAlgorithm(rawValue: hash) else { throw .hashAlgorithm(hash) }
            if let kind = hashed.unknownCritical { throw .criticalSubpacket(kind) }
            let message = content + Self.trailer(header)
            guard Array(hash.digest(message).prefix(2)) == hashStart,
                isValid(for: message, hash, key.material)
            else { throw .signatureInvalid }
        }

        private func isValid(for message: [UInt8], _ hash: HashAlgorithm, _ material: KeyMaterial) -> Bool {
            switch (material, algorithm, numbers.count) {
            case (.rsa(let key), Algorithm.rsa, 1):
                guard case .rsa(let bits) = key.kind,
                    let signature = OpenPGP.padded(numbers[0], to: (bits + 7) / 8)
                else { return false }
                return key.isValid(signature, for: message, with: hash.rsa)
            case (.ed25519(let key), Algorithm.eddsa, 2):
                guard let r = OpenPGP.padded(numbers[0], to: 32), let s = OpenPGP.padded(numbers[1], to: 32)
                else { return false }
                // draft-koch-eddsa-for-openpgp-04 §4: what Ed25519 signs is the hash.
                return key.isValid(r + s, for: hash.digest(message), with: .eddsa)
            default: return false
            }
        }

        private var header: [UInt8] { [4, kind, algorithm, hash] + hashed.encoded }

        /// What is hashed after the content. Source: RFC 4880 §5.2.4.
        private static func trailer(_ header: [UInt8]) -> [UInt8] {
            header + [4, 0xFF] + OpenPGP.bytes(of: header.count, count: 4)
        }
    }
}

extension OpenPGP.Signature {
    /// The body of a signature by an RSA key with SHA-256.
    static func make(
        _ kind: UInt8, of content: [UInt8], hashed: OpenPGP.Subpackets, unhashed: OpenPGP.Subpackets,
        by key: PrivateKey
    ) throws(OpenPGPError) -> [UInt8] {
        let hash = OpenPGP.HashAlgorithm.sha256
        let header = [4, kind, OpenPGP.Algorithm.rsa, hash.rawValue] + hashed.encoded
        let message = content + trailer(header)
        let signature = try OpenPGP.compute { try key.sign(message, with: hash.rsa) }
        return header + unhashed.encoded + hash.digest(message).prefix(2) + OpenPGP.number(signature)
    }
}
