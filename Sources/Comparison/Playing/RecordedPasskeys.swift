import Crypto
import Essentials
import WebAuthn

/// What a recording has told so far of the authenticators in it: the keys, counters and users of their credentials. With them it shows what
/// of an answer was wrong.
///
/// Source: Web Authentication Level 3 §6.1, §7.1, §7.2.
struct RecordedPasskeys {
    /// What relying parties asked for, by the challenges.
    private var options: [String: SpelledJSON] = [:]
    /// By their ids.
    private var credentials: [String: Credential] = [:]

    private struct Credential {
        let key: COSEKey
        /// In base64url; nil where the options are not in the recording.
        let userHandle: String?
        /// The last one that was accepted.
        var count: UInt32
    }

    struct Reading {
        var role: PasskeyOrder.Role?
        var deviation = PasskeyOrder.Deviation()
        /// Whether the user handle is another one than that of the credential's user.
        var hasOtherUser = false
        /// Whether what is signed is for another relying party.
        var hasOtherParty = false
        /// Why a refusal there may have been right although this cannot be made as wrong, without a full stop.
        var doubt: String?
    }

    private static let doubt = "it was refused there, perhaps for its attestation, which is right here"

    mutating func keep(_ json: SpelledJSON, challenge: String) { options[challenge] = json }

    /// What an answer is to; also where its client encoded the challenge twice.
    func options(of answer: PasskeyAnswer) -> SpelledJSON? {
        let challenge = answer.client.challenge
        return options[challenge] ?? Self.decoded(challenge).flatMap { options[$0] }
    }

    /// The text in base64url, for what was encoded twice.
    static func decoded(_ text: String) -> String? {
        Base64URL.decode(text, allowingPadding: true).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The relying party of options; nil where that is the host of the page.
    static func party(_ options: SpelledJSON?) -> String? {
        (options?["rpId"] ?? options?["rp"]?["id"])?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What the next recorded answer shows.
    mutating func read(_ answer: PasskeyAnswer, isRefused: Bool) -> Reading {
        var reading = Reading()
        let (client, asked) = (answer.client, options(of: answer))
        if client.type != answer.ceremony.clientDataType { reading.deviation.type = client.type }
        (reading.deviation.isCrossOrigin, reading.deviation.topOrigin) = (
            client.crossOrigin, client.topOrigin
        )
        guard let data = answer.data else { return reading }
        if let party = Self.party(asked), data.rpIDHash != Digest.sha256(Array(party.utf8)) {
            reading.hasOtherParty = true
        }
        switch answer.ceremony {
        case .create: readNew(answer, data, asked, isRefused: isRefused, &reading)
        case .get: readUse(answer, data, isRefused: isRefused, &reading)
        }
        return reading
    }

    private mutating func readNew(
        _ answer: PasskeyAnswer, _ data: AuthenticatorData, _ asked: SpelledJSON?, isRefused: Bool,
        _ reading: inout Reading
    ) {
        guard let object = answer.attestation, let credential = data.credential else { return }
        let hasCertificates = object.statement["x5c"] != nil
        reading.role = PasskeyOrder.Role(data.flags, data.signCount == 0 ? .zero : .increasing)
        reading.role?.registration = PasskeyOrder.Registration(
            format: object.format, hasCertificates: hasCertificates,
            algorithm: credential.publicKey.algorithm.rawValue, aaguid: credential.aaguidText,
            transports: answer.transports)
        credentials[Base64URL.encode(credential.id)] = Credential(
            key: credential.publicKey, userHandle: asked?["user"]?["id"]?.string, count: data.signCount)
        guard isRefused else { return }
        let check = Self.fault(of: answer, asked, algorithm: credential.publicKey.algorithm.rawValue)
        if check == .attestationSignature {
            reading.deviation.breaksSignature = true
        } else if hasCertificates, let fault = AttestationFault(check, in: object.format) {
            reading.deviation.attestationFault = fault.rawValue
        } else if hasCertificates || check?.isOfStatement == true {
            // By whom it is, nobody here knows.
            reading.doubt = Self.doubt
        }
    }

    /// What a relying party of the standard, which trusts everybody, finds wrong in a registration; nil for nothing.
    private static func fault(
        of answer: PasskeyAnswer, _ asked: SpelledJSON?, algorithm: Int
    ) -> WebAuthnCheck? {
        let client = answer.client
        let party = RelyingParty(
            id: party(asked) ?? WebAddress(client.origin)?.host ?? "", origins: [client.origin],
            allowsCrossOrigin: true, topOrigins: client.topOrigin.map { [$0] } ?? [])
        let request = RegistrationRequest(
            relyingParty: party,
            challenge: IssuedChallenge(Base64URL.decode(client.challenge) ?? [], for: .registration),
            algorithms: [algorithm], isConditional: true,
            tolerated: Set(WebAuthnCheck.allCases.filter(\.isTolerable)))
        do {
            _ = try request.verify(Array(answer.json.text.utf8), at: Date(timeIntervalSince1970: 0)) { _ in
                false
            }
            return nil
        } catch let refusal as WebAuthnRefusal {
            return refusal.check
        } catch {
            // Nothing else is thrown for what was read already.
            return nil
        }
    }

    private mutating func readUse(
        _ answer: PasskeyAnswer, _ data: AuthenticatorData, isRefused: Bool, _ reading: inout Reading
    ) {
        let credential = credentials[answer.id]
        let counter: PasskeyOrder.Counter =
            switch data.signCount {
            case 0: .zero
            case let count: count > (credential?.count ?? 0) ? .increasing : .backwards
            }
        reading.role = PasskeyOrder.Role(data.flags, counter)
        if !isRefused { credentials[answer.id]?.count = data.signCount }
        let handle = answer.response["userHandle"]?.string ?? ""
        guard let credential else {
            if handle.isEmpty { reading.deviation.userHandleForm = .absent }
            return
        }
        if let signature = PasskeyAnswer.bytes(answer.response["signature"]) {
            reading.deviation.breaksSignature =
                !credential.key.isValid(signature, for: data.bytes + answer.client.hash)
        }
        if handle.isEmpty {
            reading.deviation.userHandleForm = .absent
        } else if let own = credential.userHandle, own != handle {
            if Self.decoded(own) == handle {
                reading.deviation.userHandleForm = .text
            } else {
                reading.hasOtherUser = true
            }
        }
    }
}

extension PasskeyOrder.Role {
    fileprivate init(_ flags: AuthenticatorFlags, _ counter: PasskeyOrder.Counter) {
        self.init(
            isUserPresent: flags.contains(.userPresent), isUserVerified: flags.contains(.userVerified),
            isBackupEligible: flags.contains(.backupEligible), isBackedUp: flags.contains(.backedUp),
            counter: counter)
    }
}

extension WebAuthnCheck {
    fileprivate var isOfStatement: Bool { rawValue.hasPrefix("attestation") && self != .attestationObject }
}

extension AttestationFault {
    /// Of a statement that is refused for this; nil where the software authenticator has none of the kind.
    fileprivate init?(_ check: WebAuthnCheck?, in format: String) {
        let faults: [WebAuthnCheck: AttestationFault] =
            switch format {
            case "packed": [.attestationCertificate: .certificate, .attestationAAGUID: .aaguid]
            case "tpm":
                [
                    .attestationCertificate: .certificate, .attestationKey: .key, .attestationNonce: .nonce,
                    .attestationProperties: .properties,
                ]
            case "android-key":
                [.attestationKey: .key, .attestationNonce: .nonce, .attestationProperties: .properties]
            case "apple": [.attestationKey: .key, .attestationNonce: .nonce]
            default: [:]
            }
        guard let fault = check.flatMap({ faults[$0] }) else { return nil }
        self = fault
    }
}
