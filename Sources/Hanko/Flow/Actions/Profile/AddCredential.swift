import Essentials
import PlatformKit
import WebAuthn

extension FlowAction {
    /// `webauthn_credential_create`: options for one more passkey.
    static let createPasskey = FlowAction.onAccount(
        "webauthn_credential_create", "Create a passkey.",
        suspension: { turn, account in
            if let obstacle = turn.passkeyObstacle { return obstacle }
            let limit = turn.configuration.passkey.limit
            return account.passkeys.count < limit
                ? nil : "passkey.limit is \(limit), and the user has as many passkeys"
        },
        run: { turn, _, account in turn.ask(for: .passkey, account) })

    /// `security_key_create`: options for one more security key.
    static let createSecurityKey = FlowAction.onAccount(
        "security_key_create", "Create a security key.",
        suspension: { turn, account in
            if let obstacle = turn.securityKeyObstacle { return obstacle }
            let limit = turn.configuration.mfa.securityKeyLimit
            return account.securityKeys.count < limit
                ? nil : "mfa.security_keys.limit is \(limit), and the user has as many keys"
        },
        run: { turn, _, account in turn.ask(for: .securityKey, account) })

    /// `webauthn_verify_attestation_response` of a profile: what the device made.
    ///
    /// A credential that is not accepted leads to the profile all the same, with `passkey_invalid`. Source: Hanko 2.7, Flow API.
    static let verifyNewCredential = FlowAction.onAccount(
        "webauthn_verify_attestation_response", "Send the credential that was created.",
        inputs: { _, _ in [FlowInput("public_key", .json, isRequired: true)] },
        suspension: { turn, _ in
            turn.flow.stash.pendingCredential?.kind == .securityKey
                ? turn.securityKeyObstacle : turn.passkeyObstacle
        },
        run: { turn, form, account in
            do {
                try turn.addCredential(form, account)
            } catch let refusal as FlowRefusal {
                turn.mishap = refusal
            }
            return .proceed(.profileInit, isRevertible: false)
        })
}

extension FlowHook {
    /// Before `webauthn_credential_verification`: the options, the same ones when shown again.
    static let showCreationOptions = FlowHook { turn in
        let options = try turn.flow.stash.pendingCredential?.options(
            turn.requireAccount(), turn.configuration)
        turn.payload["creation_options"] = try options.map { try .wire($0) }
    }
}

extension FlowTurn {
    fileprivate mutating func ask(for kind: CredentialKind, _ account: Account) -> FlowOutcome {
        let pending = PendingCredential(
            entropy.bytes(32, "hanko.challenge"), CeremonyRules(kind, configuration), at: now)
        guard pending.options(account, configuration) != nil else {
            return .refuse(
                FlowRefusal(
                    .technical,
                    "The user \(account.id) has neither an address nor a username, which a credential could be named after."
                ))
        }
        flow.stash.pendingCredential = pending
        return .proceed(.webauthnCredentialVerification)
    }

    /// - Throws: ``FlowRefusal``, `passkey_invalid`, for a credential that is not accepted.
    fileprivate mutating func addCredential(_ form: FlowForm, _ account: Account) throws {
        let verified = try verified(form, account)
        let credential = verified.credential
        for warning in verified.warnings {
            note(
                "webauthn warning",
                "Let pass as Hanko does, though the standard does not: \(warning.sentence)")
        }
        try CredentialStore.insert(credential, into: db)
        audit(
            credential.isMFAOnly ? .securityKeyCreated : .passkeyCreated, account,
            ["credential_id": credential.id])
        notify(credential.isMFAOnly ? .mfaCreate : .passkeyCreate, account)
        note(
            credential.isMFAOnly ? "security key added" : "passkey added",
            "The user \(account.id) has the \(credential.isMFAOnly ? "security key" : "passkey") \(credential.id) now"
                + (credential.name.map { ", made by \($0)." } ?? "."))
    }

    private func verified(_ form: FlowForm, _ account: Account) throws -> VerifiedCredential {
        guard let pending = flow.stash.pendingCredential else {
            throw FlowRefusal(.passkeyInvalid, "This flow asked for no credential.")
        }
        let rules = CeremonyRules(pending.kind, configuration)
        do {
            let posted = try PostedCredential(form.json("public_key")?.bytes ?? [], .registration)
            return try rules.verifyRegistration(
                posted, challenge: pending.issued, for: account.id, at: now, in: db)
        } catch let fault as PostedCredentialFault {
            throw FlowRefusal(.passkeyInvalid, "The posted credential cannot be read: \(fault.reason).")
        } catch let refusal as WebAuthnRefusal {
            throw FlowRefusal(.passkeyInvalid, refusal.sentence)
        } catch let error as DecodingError {
            throw FlowRefusal(.passkeyInvalid, "The text in \"public_key\" is not JSON: \(error.sentence).")
        }
    }
}
