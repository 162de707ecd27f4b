/// What 3.0 and 3.1 have in common: nothing is bound to the version, and the MAC of an envelope covers neither time nor nonce.
protocol BeforeV32: V3 {}

extension BeforeV32 {
    func envelopeInfo(_ purpose: EnvelopePurpose, ephemeralKey: [UInt8]) -> [UInt8] {
        Array(purpose.rawValue.utf8) + ephemeralKey
    }

    func sharedInfo2(
        _ binding: EnvelopeBinding, temporaryKeyID: String?, freshness: EnvelopeFreshness,
        ephemeralKey: [UInt8]?
    ) -> [UInt8] { binding.base }

    /// A response has none of its own: it uses the request's nonce again.
    func responseFreshness(
        to request: EnvelopeFreshness, nonce: () throws -> Nonce, milliseconds: Int
    ) throws -> EnvelopeFreshness { EnvelopeFreshness() }

    func tokenDigest(_ secret: TokenSecret, nonce: Nonce, timestamp: String) -> [UInt8] {
        TokenDigest.compute(secret, nonce, timestamp)
    }
}
