import Crypto
import Essentials
import WebAuthn

/// The switches of a software authenticator, as the API names them: `SoftwareBehaviour` without the origin.
struct AuthenticatorBehaviour: Equatable {
    enum Attestation: String, CaseIterable {
        /// What the options ask for: nothing, or else self attestation.
        case asked
        case none
        case packedSelf = "packed-self"
        // With certificates of ``DevelopmentAttestation``.
        case packedX5C = "packed-x5c"
        case fidoU2F = "fido-u2f"
        case tpm
        case androidKey = "android-key"
        case apple
    }

    enum Counter: String, CaseIterable {
        case zero, increasing, backwards
    }

    enum Call {
        case create, get
    }

    /// Which calls are answered by nobody.
    enum Silence: String, CaseIterable {
        case create, get, both

        func includes(_ call: Call) -> Bool {
            switch self {
            case .create: call == .create
            case .get: call == .get
            case .both: true
            }
        }
    }

    var attestation = Attestation.asked
    var attestationFault: AttestationFault?
    var algorithms = [COSEAlgorithm.es256, .es384, .es512, .eddsa, .rs256, .ps256]
    var aaguid = "00000000-0000-0000-0000-000000000000"
    var userPresent = true
    var userVerified = true
    var backupEligible = false
    var backedUp = false
    var counter = Counter.zero
    var transports = ["internal", "hybrid"]
    var prf = SoftwareBehaviour.PRF.create
    var largeBlob = true
    var ignoresOrigin = false
    var breaksSignature = false
    // In the place of what is right; nil for what is right.
    var clientDataOrigin: String?
    var crossOrigin = false
    var topOrigin: String?
    var challenge: [UInt8]?
    var type: String?
    var relyingPartyID: String?
    var userHandle: [UInt8]?
    var userHandleForm = SoftwareBehaviour.UserHandleForm.base64url
    /// nil for calls that end as calls should.
    var neverSettles: Silence?

    /// As a new authenticator is. What a phone keeps is synchronised with the person's other devices, so that it is eligible for backup
    /// and backed up.
    ///
    /// - Source: Web Authentication Level 3 §6.1.3, “Credential Backup State”.
    static func standard(ofPhone: Bool) -> AuthenticatorBehaviour {
        var standard = AuthenticatorBehaviour()
        (standard.backupEligible, standard.backedUp) = (ofPhone, ofPhone)
        return standard
    }

    /// Every member, also those that say nothing: as the API shows it, and as it is kept.
    var json: JSONValue {
        [
            "attestation": .string(attestation.rawValue),
            "attestationFault": Self.text(attestationFault?.rawValue),
            "algorithms": .array(algorithms.map { .integer($0.rawValue) }), "aaguid": .string(aaguid),
            "userPresent": .boolean(userPresent), "userVerified": .boolean(userVerified),
            "backupEligible": .boolean(backupEligible), "backedUp": .boolean(backedUp),
            "counter": .string(counter.rawValue), "transports": JSONValue(transports),
            "prf": .string(prf.rawValue), "largeBlob": .boolean(largeBlob),
            "ignoresOrigin": .boolean(ignoresOrigin), "breaksSignature": .boolean(breaksSignature),
            "clientDataOrigin": Self.text(clientDataOrigin), "crossOrigin": .boolean(crossOrigin),
            "topOrigin": Self.text(topOrigin), "challenge": Self.text(challenge.map { Base64URL.encode($0) }),
            "type": Self.text(type), "rpId": Self.text(relyingPartyID),
            "userHandle": Self.text(userHandle.map { Base64URL.encode($0) }),
            "userHandleForm": .string(userHandleForm.rawValue),
            "neverSettles": Self.text(neverSettles?.rawValue),
        ]
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// How the software authenticator shall behave for a page at `origin`.
    func software(at origin: String) throws -> SoftwareBehaviour {
        var software = SoftwareBehaviour(
            origin: origin, aaguid: Hex.decode(aaguid.filter { $0 != "-" }) ?? [])
        software.attestation = try attestation.software()
        software.attestationFault = attestationFault
        software.counter =
            switch counter {
            case .zero: .zero
            case .increasing: .increasing
            case .backwards: .backwards
            }
        (software.prf, software.largeBlob) = (prf, largeBlob)
        (software.algorithms, software.transports) = (algorithms, transports)
        (software.isUserPresent, software.isUserVerified) = (userPresent, userVerified)
        (software.isBackupEligible, software.isBackedUp) = (backupEligible, backedUp)
        (software.ignoresOrigin, software.breaksSignature) = (ignoresOrigin, breaksSignature)
        (software.clientDataOrigin, software.crossOrigin) = (clientDataOrigin, crossOrigin)
        (software.topOrigin, software.challenge, software.type) = (topOrigin, challenge, type)
        (software.relyingPartyID, software.userHandle) = (relyingPartyID, userHandle)
        software.userHandleForm = userHandleForm
        return software
    }
}

extension AuthenticatorBehaviour.Attestation {
    /// nil for what the options ask for.
    func software() throws -> SoftwareBehaviour.Attestation? {
        switch self {
        case .asked: nil
        case .none: SoftwareBehaviour.Attestation.none
        case .packedSelf: .packedSelf
        case .packedX5C: .packed(try DevelopmentAttestation.authority())
        case .fidoU2F: .fidoU2F(try DevelopmentAttestation.authority())
        case .tpm: .tpm(try DevelopmentAttestation.authority())
        case .androidKey: .androidKey(try DevelopmentAttestation.authority())
        case .apple: .apple(try DevelopmentAttestation.authority())
        }
    }
}
