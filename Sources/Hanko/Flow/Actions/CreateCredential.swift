import Essentials
import HTTP
import PlatformKit
import WebAuthn

extension FlowAction {
    /// `webauthn_generate_creation_options`: a passkey.
    static let generateCreationOptions = FlowAction(
        "webauthn_generate_creation_options", "Get creation options to create a passkey.",
        suspension: { $0.passkeyObstacle },
        run: { turn, _ in
            turn.flow.stash.wantsSecurityKey = nil
            return .proceed(.onboardingVerifyPasskeyAttestation)
        })

    /// `webauthn_generate_creation_options` of `mfa_security_key_creation`: a security key.
    static let generateSecurityKeyCreationOptions = FlowAction(
        "webauthn_generate_creation_options", "Get creation options to create a security key.",
        suspension: { $0.securityKeyObstacle },
        run: { turn, _ in
            turn.flow.stash.wantsSecurityKey = true
            return .proceed(.onboardingVerifyPasskeyAttestation)
        })

    /// `webauthn_verify_attestation_response`: the credential that the authenticator made.
    ///
    /// One that is not accepted is told, and the flow goes on without: as the original does. Its user may not exist yet; then it is
    /// stored on reaching `success`. In a profile flow the profile comes next.
    static let verifyAttestation = FlowAction.attestation(isRequired: nil)

    /// The same in a state whose input is required.
    static let verifyRequiredAttestation = FlowAction.attestation(isRequired: true)

    private static func attestation(isRequired: Bool?) -> FlowAction {
        FlowAction(
            "webauthn_verify_attestation_response", "Send the WebAuthn credential creation response.",
            inputs: { _ in [FlowInput("public_key", .json, isRequired: isRequired)] },
            suspension: { turn in
                turn.flow.stash.challenge?.ceremony == .registration
                    ? nil : "no creation options were given out"
            },
            run: { turn, form in
                guard let challenge = turn.flow.stash.challenge else { return .stay }
                turn.flow.stash.challenge = nil
                switch try turn.verifyNew(form, challenge) {
                case .failure(let refusal): turn.mishap = refusal
                case .success(let credential): try turn.keep(credential)
                }
                if turn.flow.kind == .profile { return .proceed([.profileInit], isRevertible: false) }
                if challenge.kind == .securityKey { return .proceed([], isRevertible: false) }
                return try turn.goOn(isRevertible: false)
            })
    }
}

extension FlowTurn {
    fileprivate mutating func verifyNew(
        _ form: FlowForm, _ challenge: FlowChallenge
    ) throws -> Result<Credential, FlowRefusal> {
        let owner = try credentialOwner()
        if let meant = challenge.ownerID, meant != owner {
            return .failure(
                FlowRefusal(
                    .passkeyInvalid,
                    "The options were for the user \(meant), but the session is the user \(owner)'s now."))
        }
        do {
            let posted = try PostedCredential(form.json("public_key")?.bytes ?? [], .registration)
            let verified = try CeremonyRules(challenge.kind, configuration).verifyRegistration(
                posted, challenge: challenge.issued, for: owner, at: now, in: db)
            let id = verified.credential.id
            guard flow.stash.newCredentials?.contains(where: { $0.id == id }) != true else {
                return .failure(
                    FlowRefusal(.passkeyInvalid, "The credential \(id) was made in this flow already."))
            }
            noteWarnings(verified.warnings)
            return .success(verified.credential)
        } catch let fault as PostedCredentialFault {
            return .failure(
                FlowRefusal(.passkeyInvalid, WebAuthnFault.unreadable(fault, .registration).explanation))
        } catch let error as DecodingError {
            return .failure(
                FlowRefusal(.passkeyInvalid, "The \"public_key\" is not JSON: \(error.sentence)."))
        } catch let refusal as WebAuthnRefusal {
            return .failure(FlowRefusal(.passkeyInvalid, refusal.sentence))
        }
    }

    /// Gives the credential to its user, or keeps it for one who is still to be made.
    fileprivate mutating func keep(_ credential: Credential) throws {
        let what = credential.isMFAOnly ? "security key" : "passkey"
        guard let account = try account() else {
            flow.stash.newCredentials = (flow.stash.newCredentials ?? []) + [credential]
            note(
                "\(what) made",
                "The new user has a \(what), \(credential.id), which is stored on reaching success.")
            return
        }
        try CredentialStore.insert(credential, into: db)
        add(
            .audit(
                credential.isMFAOnly ? .securityKeyCreated : .passkeyCreated, userID: account.id,
                address: account.primaryEmail?.address))
        notify(credential.isMFAOnly ? .mfaCreate : .passkeyCreate, account)
        note("\(what) made", "The user \(account.id) has a \(what), \(credential.id).")
    }
}
