/// How a software authenticator behaves: well, unless told otherwise, so that a relying party's refusals can be tried out too.
package struct SoftwareBehaviour: Sendable {
    package enum Attestation: Sendable {
        case none
        case packedSelf
        case packed(AttestationAuthority)
        case fidoU2F(AttestationAuthority)
        case tpm(AttestationAuthority)
        case androidKey(AttestationAuthority)
        case apple(AttestationAuthority)
    }

    /// When the authenticator evaluates the extension `prf`.
    package enum PRF: String, Sendable, CaseIterable {
        /// At registration and at login, as phones and newer security keys do.
        case create
        /// At login alone, as most security keys do.
        case get
        /// Never.
        case none
    }

    /// How the JSON of a login has the user handle.
    package enum UserHandleForm: String, Sendable, CaseIterable {
        case base64url
        /// As the text that its bytes are in UTF-8, or not at all where they are none, as some libraries of apps had it.
        case text
        /// Not at all, as an authenticator may where the options name credentials.
        case absent
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
    package var attestationFault: AttestationFault?
    package var algorithms: [COSEAlgorithm] = [.es256, .es384, .es512, .eddsa, .rs256, .ps256]
    /// 16 bytes
    package var aaguid: [UInt8]
    package var isUserPresent = true
    /// As the flag says; also when the options require more.
    package var isUserVerified = true
    package var isBackupEligible = false
    package var isBackedUp = false
    package var counter = Counter.zero
    package var transports = ["internal", "hybrid"]
    package var prf = PRF.create
    /// Whether there is room for large blobs.
    package var largeBlob = true
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
    package var userHandleForm = UserHandleForm.base64url

    package init(origin: String, aaguid: [UInt8] = [UInt8](repeating: 0, count: 16)) {
        (self.origin, self.aaguid) = (origin, aaguid)
    }
}

extension SoftwareBehaviour {
    /// The algorithms that authenticators with such an attestation sign with.
    package var knownAlgorithms: [COSEAlgorithm] {
        switch attestation {
        // §8.6: U2F has no other; nor has Apple's Secure Enclave.
        case .fidoU2F, .apple: algorithms.filter { $0 == .es256 }
        // TCG Algorithm Registry §6.4: none of Edwards' curves.
        case .tpm: algorithms.filter { $0 != .eddsa }
        default: algorithms
        }
    }
}

/// One thing that is wrong in an attestation statement, so that a relying party has to find it.
package enum AttestationFault: String, Sendable, CaseIterable {
    /// The certificate is signed by somebody who only has the name of the root.
    case issuer
    /// The certificate is not as its format asks: another organizational unit in `packed`, a subject in `tpm`.
    case certificate
    /// The certificate names another model.
    case aaguid
    /// The statement is about another key than the credential's.
    case key
    /// The statement is about another ceremony: one bit of the challenge, the nonce or `extraData` is wrong.
    case nonce
    /// The key is one for all applications (`android-key`), or `certInfo` comes from no TPM (`tpm`).
    case properties
}

extension SoftwareBehaviour.Attestation {
    /// The faults that statements of this kind can have.
    package var faults: [AttestationFault] {
        switch self {
        case .none, .packedSelf: []
        case .packed: [.issuer, .certificate, .aaguid]
        case .fidoU2F: [.issuer]
        case .tpm: [.issuer, .certificate, .key, .nonce, .properties]
        case .androidKey: [.issuer, .key, .nonce, .properties]
        case .apple: [.issuer, .key, .nonce]
        }
    }
}
