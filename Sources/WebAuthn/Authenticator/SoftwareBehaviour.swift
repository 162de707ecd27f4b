/// How a software authenticator behaves: well, unless told otherwise, so that a relying party's refusals can be tried out too.
package struct SoftwareBehaviour: Sendable {
    package enum Attestation: Sendable {
        case none
        case packedSelf
        case packed(AttestationAuthority)
    }

    package enum Counter: Sendable, Equatable {
        /// Always zero, as passkeys that are synchronised have it.
        case zero
        case increasing
        /// One less than the last time, as the copy of an authenticator would have it.
        case backwards
    }

    /// Where the page is, or which app; the client's part.
    package var origin: String
    /// What the client data say instead, so that the relying party hears of another origin than the page's.
    package var clientDataOrigin: String?
    /// Whether the page is in a frame of a foreign one, and which.
    package var crossOrigin = false
    package var topOrigin: String?
    /// nil for what the options ask for: `none`, or else self attestation.
    package var attestation: Attestation?
    package var algorithms: [COSEAlgorithm] = [.es256, .eddsa, .rs256]
    /// 16 bytes
    package var aaguid: [UInt8]
    package var isUserPresent = true
    /// As the flag says; also when the options require more.
    package var isUserVerified = true
    package var isBackupEligible = false
    package var isBackedUp = false
    package var counter = Counter.zero
    package var transports = ["internal", "hybrid"]
    /// In the place of the options' challenge.
    package var challenge: [UInt8]?
    /// In the place of the ceremony's own, `webauthn.create` or `webauthn.get`.
    package var type: String?
    /// The relying party id in the place of the options', in what is signed.
    package var relyingPartyID: String?
    /// Whether a relying party id is taken that the origin may not use, which no browser does.
    package var ignoresOrigin = false
    /// Whether one bit of the signature is wrong.
    package var breaksSignature = false
    /// In the place of the account's own; empty to send none.
    package var userHandle: [UInt8]?

    package init(origin: String, aaguid: [UInt8] = [UInt8](repeating: 0, count: 16)) {
        (self.origin, self.aaguid) = (origin, aaguid)
    }
}
