import Essentials
import HTTP
import PlatformKit
import SQLite
import WebAuthn

extension FlowAction {
    /// `webauthn_generate_creation_options`: a passkey.
    static let generateCreationOptions = FlowAction(
        "webauthn_generate_creation_options", "Get creation options to create a passkey.",
        suspension: { $0.passkeyObstacle },
        run: { step, _ in
            step.flow.stash.wantsSecurityKey = nil
            return .proceed(.onboardingVerifyPasskeyAttestation)
        })

    /// `webauthn_generate_creation_options` of `mfa_security_key_creation`: a security key.
    static let generateSecurityKeyCreationOptions = FlowAction(
        "webauthn_generate_creation_options", "Get creation options to create a security key.",
        suspension: { $0.securityKeyObstacle },
        run: { step, _ in
            step.flow.stash.wantsSecurityKey = true
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
            suspension: { step in
                step.flow.stash.challenge?.ceremony == .registration
                    ? nil : "no creation options were given out"
            },
            run: { step, form in
                guard let challenge = step.flow.stash.challenge else { return .stay }
                step.flow.stash.challenge = nil
                do {
                    try step.keep(step.verifyNew(form, challenge))
                } catch let refusal as FlowRefusal where refusal.consequence == .stateStays {
                    step.mishap = refusal
                }
                if step.flow.kind == .profile { return .proceed([.profileInit], isRevertible: false) }
                if challenge.kind == .securityKey { return .proceed([], isRevertible: false) }
                return try step.goOn(isRevertible: false)
            })
    }
}

extension FlowStep {
    fileprivate func verifyNew(_ form: FlowForm, _ challenge: FlowChallenge) throws -> Credential {
        let owner = try credentialOwner()
        if let meant = challenge.ownerID, meant != owner {
            throw FlowRefusal.passkeyInvalid(
                "The options were for the user \(meant), but the session is the user \(owner)'s now.")
        }
        do {
            let posted = try PostedCredential(form.json("public_key")?.bytes ?? [], .registration)
            let verified = try CeremonyRules(challenge.kind, configuration).verifyRegistration(
                posted, challenge: challenge.issued, for: owner, at: now, in: db)
            let id = verified.credential.id
            guard flow.stash.newCredentials?.contains(where: { $0.id == id }) != true else {
                throw FlowRefusal.passkeyInvalid("The credential \(id) was made in this flow already.")
            }
            noteLeniency(of: verified)
            return verified.credential
        } catch let fault as PostedCredentialFault {
            throw FlowRefusal.passkeyInvalid(PasskeyRefusal.unreadable(fault, .registration).explanation)
        } catch let error as DecodingError {
            throw FlowRefusal.passkeyInvalid("The “public_key” is not JSON: \(error.sentence).")
        } catch let refusal as WebAuthnRefusal {
            throw FlowRefusal.passkeyInvalid(refusal.sentence)
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
        try db.insert(credential)
        try audit(
            credential.isMFAOnly ? .securityKeyCreated : .passkeyCreated, userID: account.id,
            address: account.primaryEmail?.address)
        try notify(credential.isMFAOnly ? .mfaCreate : .passkeyCreate, account)
        note("\(what) made", "The user \(account.id) has a \(what), \(credential.id).")
    }
}

extension FlowAction {
    /// `continue_to_passkey_registration`: of the two credentials, the passkey.
    static let continueToPasskeyRegistration = FlowAction(
        "continue_to_passkey_registration", "Register a passkey.",
        suspension: { $0.passkeyObstacle },
        run: { _, _ in .proceed(.onboardingCreatePasskey) })

    /// `continue_to_password_registration`: of the two credentials, the password.
    static let continueToPasswordRegistration = FlowAction(
        "continue_to_password_registration", "Register a password.",
        suspension: { $0.configuration.password.isEnabled ? nil : "password.enabled is false" },
        run: { _, _ in .proceed(.passwordCreation) })
}
