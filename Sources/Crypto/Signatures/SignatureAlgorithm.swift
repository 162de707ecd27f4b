/// The signatures of RFC 7518 §3.1 and RFC 8037 §3.1 that have a key pair, by their JOSE names.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case eddsa = "EdDSA"

    /// What is signed is the hash by this function; Ed25519 signs the message itself.
    var digest: Digest? {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512: .sha512
        case .eddsa: nil
        }
    }

    var isPSS: Bool { self == .ps256 || self == .ps384 || self == .ps512 }

    /// Whether a key of this kind may be used.
    package func accepts(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        // RFC 7518 §3.3 and §3.5: 2,048 bits or more.
        case (.rs256, .rsa(let bits)), (.rs384, .rsa(let bits)), (.rs512, .rsa(let bits)),
            (.ps256, .rsa(let bits)), (.ps384, .rsa(let bits)), (.ps512, .rsa(let bits)):
            bits >= 2048
        case (.es256, .ec(.p256)), (.es384, .ec(.p384)), (.es512, .ec(.p521)), (.eddsa, .ed25519): true
        default: false
        }
    }
}
