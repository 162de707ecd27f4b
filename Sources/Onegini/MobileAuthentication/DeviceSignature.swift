import Crypto
import Essentials

/// What a device signed, and whether it did it right. Source: Token Server documentation, topic “transaction signing”.
struct DeviceSignature: Codable, Sendable, Equatable {
    /// In base64, as the device sent it.
    var text: String
    /// `-----BEGIN PUBLIC KEY-----`
    var publicKey: String
    var isVerified: Bool

    enum CodingKeys: String, CodingKey {
        case text = "signature"
        case publicKey = "user_public_key"
        case isVerified = "signature_verified"
    }

    init(text: String, publicKey: String, isVerified: Bool) {
        (self.text, self.publicKey, self.isVerified) = (text, publicKey, isVerified)
    }

    /// Checks the signature of `data` against the keys of a device: RSASSA-PKCS1-v1_5 with SHA-256 over the UTF-8 bytes, which
    /// is *assumed*, or Ed25519 for devices that have no RSA key; a bare key signs with ES256, r and s. Nil for a certificate without a key
    /// that signs.
    init?(_ text: String, of data: String, by certificate: DeviceCertificate) throws {
        let bytes = Data(base64Encoded: text).map { [UInt8]($0) } ?? []
        switch certificate {
        case .openPGP(let certificate): try self.init(text, bytes, of: data, by: certificate)
        case .key(let key):
            let isValid = key.isValid(bytes, for: Array(data.utf8), with: .es256)
            self.init(text: text, publicKey: try key.pem(), isVerified: isValid)
        }
    }

    private init?(_ text: String, _ bytes: [UInt8], of data: String, by certificate: OpenPGPCertificate)
        throws
    {
        var candidates: [(key: PublicKey, isValid: Bool)] = []
        for key in certificate.signingKeys {
            switch key.material {
            case .rsa(let key):
                candidates.append((key, key.isValid(bytes, for: Array(data.utf8), with: .rs256)))
            case .ed25519(let key):
                candidates.append((key, key.isValid(bytes, for: Array(data.utf8), with: .eddsa)))
            case .curve25519: break
            }
        }
        guard let best = candidates.first(where: \.isValid) ?? candidates.first else { return nil }
        self.init(text: text, publicKey: try best.key.pem(), isVerified: best.isValid)
    }
}
