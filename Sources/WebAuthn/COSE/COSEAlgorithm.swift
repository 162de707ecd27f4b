package import Crypto

/// The signature algorithms of credentials and attestation statements. Source: IANA COSE Algorithms; RFC 9053 §2, RFC 8812 §2,
/// RFC 9864 §2.
package enum COSEAlgorithm: Int, Sendable, CaseIterable {
    case es256 = -7
    case es384 = -35
    case es512 = -36
    case eddsa = -8
    case rs256 = -257
    case rs384 = -258
    case rs512 = -259
    case ps256 = -37
    case ps384 = -38
    case ps512 = -39
    case es256k = -47
    /// ECDSA on the named curve alone.
    case esp256 = -9
    case esp384 = -51
    case esp512 = -52
    case ed25519 = -19
    case ed448 = -53
    /// SHA-1, for the statements of TPMs alone.
    case rs1 = -65535

    package var name: String {
        switch self {
        case .es256: "ES256"
        case .es384: "ES384"
        case .es512: "ES512"
        case .eddsa: "EdDSA"
        case .rs256: "RS256"
        case .rs384: "RS384"
        case .rs512: "RS512"
        case .ps256: "PS256"
        case .ps384: "PS384"
        case .ps512: "PS512"
        case .es256k: "ES256K"
        case .esp256: "ESP256"
        case .esp384: "ESP384"
        case .esp512: "ESP512"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .rs1: "RS1"
        }
    }

    package var scheme: SignatureScheme {
        switch self {
        case .es256, .es256k, .esp256: .ecdsa(.sha256)
        case .es384, .esp384: .ecdsa(.sha384)
        case .es512, .esp512: .ecdsa(.sha512)
        case .eddsa, .ed25519, .ed448: .edwards
        case .rs256: .rsaPKCS1(.sha256)
        case .rs384: .rsaPKCS1(.sha384)
        case .rs512: .rsaPKCS1(.sha512)
        case .rs1: .rsaPKCS1(.sha1)
        case .ps256: .rsaPSS(.sha256)
        case .ps384: .rsaPSS(.sha384)
        case .ps512: .rsaPSS(.sha512)
        }
    }

    /// The name with the number, as sentences have it: “ES256 (-7)”.
    package static func summary(_ number: Int) -> String {
        COSEAlgorithm(rawValue: number).map { "\($0.name) (\(number))" } ?? "\(number)"
    }
}
