import Crypto

/// Numbers of algorithms and curves in a TPM. Source: TCG Algorithm Registry §6.1 (TPM_ALG_ID) and §6.4 (TPM_ECC_CURVE).
enum TPMAlgorithm {
    static let rsa = 0x0001
    static let sha256 = 0x000B
    static let null = 0x0010
    static let ecc = 0x0023

    static func digest(_ number: Int) -> Digest? {
        switch number {
        case 0x0004: .sha1
        case sha256: .sha256
        case 0x000C: .sha384
        case 0x000D: .sha512
        default: nil
        }
    }

    static func curve(_ number: Int) -> NamedCurve? {
        switch number {
        case 0x0003: .p256
        case 0x0004: .p384
        case 0x0005: .p521
        default: nil
        }
    }

    static func number(_ curve: Curve) -> Int {
        switch curve {
        case .p256: 0x0003
        case .p384: 0x0004
        case .p521: 0x0005
        }
    }
}
