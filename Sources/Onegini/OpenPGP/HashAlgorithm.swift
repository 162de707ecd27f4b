import Crypto

extension OpenPGP {
    /// The hash functions of RFC 4880 §9.4 that are accepted.
    enum HashAlgorithm: UInt8 {
        case sha256 = 8
        case sha384 = 9
        case sha512 = 10

        var digest: Digest {
            switch self {
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        }

        /// RSA signatures of PKCS #1 v1.5 with this function.
        var rsa: SignatureAlgorithm {
            switch self {
            case .sha256: .rs256
            case .sha384: .rs384
            case .sha512: .rs512
            }
        }
    }
}
