/// What a key is, and how large.
package enum KeyKind: Sendable, Equatable {
    case rsa(bits: Int)
    case ec(Curve)
    case ed25519
}
