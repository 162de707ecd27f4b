/// How a signature is made, without a name of one registry or another: its mathematics and the hash.
package enum SignatureScheme: Sendable, Hashable {
    /// r and s in DER. Source: RFC 3279 §2.2.3.
    case ecdsa(Digest)
    /// Source: RFC 8017 §8.2.
    case rsaPKCS1(Digest)
    /// The mask function uses the same hash, the salt is as long as it. Source: RFC 8017 §8.1.
    case rsaPSS(Digest)
    /// Ed25519 and Ed448 over the message itself. Source: RFC 8032 §5.1.6 and §5.2.6.
    case edwards

    package var digest: Digest? {
        switch self {
        case .ecdsa(let digest), .rsaPKCS1(let digest), .rsaPSS(let digest): digest
        case .edwards: nil
        }
    }
}
