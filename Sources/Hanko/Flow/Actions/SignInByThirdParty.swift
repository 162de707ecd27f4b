import Crypto
import Essentials
import SQLite

extension FlowAction {
    /// Actions that visit a provider, whose page is found out before their transaction.
    static let namesOfThirdParty: Set = ["thirdparty_oauth", "connect_thirdparty_oauth_provider"]

    /// `thirdparty_oauth`: sign in with the account of a provider.
    static let signInByThirdParty = FlowAction(
        "thirdparty_oauth", "Sign up/sign in with a third party provider via OAuth.",
        inputs: { step in FlowInput.thirdParty(step.configuration.thirdParty.providers) },
        suspension: { step in
            step.configuration.thirdParty.providers.isEmpty
                ? "no provider is enabled under third_party.providers" : nil
        },
        run: { step, _ in try step.visitThirdParty() })

    /// `exchange_token`: the browser came back from the provider with a token.
    static let exchangeToken = FlowAction(
        "exchange_token", "Exchange a one time token.",
        inputs: { _ in
            [
                FlowInput("token", .string, isRequired: true, isHidden: true),
                FlowInput("code_verifier", .string, isHidden: true),
            ]
        },
        run: { step, form in
            let rule = step.configuration.rateLimiter.tokenRule
            if let seconds = try step.wait(for: "token_exchange/\(step.caller.address)", under: rule) {
                let calls = "tokens from \(step.caller.address) were exchanged"
                return .refuse(step.limited("retry_after", seconds, calls, rule))
            }
            let token: ThirdPartyToken
            switch try step.thirdPartyToken(form.text("token"), verifier: form.text("code_verifier")) {
            case .failure(let refusal):
                return refusal.error == .technical ? .giveUp(refusal) : .refuse(refusal)
            case .success(let found): token = found
            }
            try step.db.delete(ThirdPartyToken.self, where: "value = \(token.value)")
            return step.flow.kind == .profile
                ? .proceed([.profileInit], isRevertible: false) : try step.signIn(by: token)
        })
}

extension FlowInput {
    static func thirdParty(_ providers: [ThirdPartyProvider]) -> [FlowInput] {
        [
            FlowInput(
                "provider", .string, isRequired: true, isHidden: true,
                choices: providers.map { Choice(value: $0.id, name: $0.displayName) }),
            FlowInput("redirect_to", .string, isRequired: true, isHidden: true),
            FlowInput("code_verifier", .string, isHidden: true),
        ]
    }
}

extension FlowStep {
    /// To `thirdparty`, with the provider's page in the payload.
    mutating func visitThirdParty() throws -> FlowOutcome {
        switch caller.thirdParty {
        case .success(let door)?:
            let (url, cookie) = try door.open(db)
            payload["redirect_url"] = .string(url)
            add(.cookie(cookie))
            return .proceed(.thirdParty)
        case .failure(let fault)?:
            return .refuse(
                fault.input.map { .input($0, .invalid, fault.explanation) }
                    ?? FlowRefusal(.technical, fault.explanation))
        case nil: return .refuse(FlowRefusal(.technical, "Nobody asked for the page of a provider."))
        }
    }

    fileprivate func thirdPartyToken(
        _ value: String, verifier: String
    ) throws -> Result<ThirdPartyToken, FlowRefusal> {
        guard let token = try db.first(ThirdPartyToken.self, where: "value = \(value)"), token.isFlow else {
            return .failure(
                FlowRefusal(
                    .technical,
                    "There is no token \(value.prefix(60)) for flows: used already, of the classic endpoint, or of another world."
                ))
        }
        let secondsOver = now.timeIntervalSince(token.expiresAt)
        if secondsOver >= 0 {
            return .failure(
                FlowRefusal(
                    .technical,
                    "The token expired \(Int(secondsOver)) s ago; it lives for \(Int(ThirdPartyToken.lifespanSeconds)) s."
                ))
        }
        if let expected = token.codeVerifier, !constantTimeEqual(Array(expected.utf8), Array(verifier.utf8)) {
            return .failure(
                .input(
                    "code_verifier", .invalid,
                    "Expected the code_verifier that thirdparty_oauth got, found "
                        + (verifier.isEmpty ? "none." : "\"\(verifier.prefix(60))\".")))
        }
        if flow.kind == .profile, token.userID != userID {
            return .failure(
                FlowRefusal(
                    .operationNotPermitted,
                    "The token is the user \(token.userID)'s, but \(userID ?? "nobody") is signed in."))
        }
        return .success(token)
    }

    /// The code came back from the address that the provider has not verified.
    mutating func proveIdentity() throws {
        guard let id = flow.stash.unprovedIdentityID else { return }
        flow.stash.unprovedIdentityID = nil
        guard var identity = try db.identity(id) else { return }
        identity.needsProof = false
        identity.updatedAt = now
        try db.update(identity)
        note(
            "provider proved",
            "The account \(identity.subject) at \(identity.provider) is the user \(identity.userID)'s from now on."
        )
    }

    /// The provider vouched for the user: what is missing yet is scheduled. There is no second factor.
    fileprivate mutating func signIn(by token: ThirdPartyToken) throws -> FlowOutcome {
        flow.stash.userID = token.userID
        flow.stash.loginMethod = .thirdParty
        let (account, identity) = (try requireAccount(), try db.identity(token.identityID))
        flow.stash.thirdPartyProvider = identity?.provider
        var states: [FlowState] = []
        let email = account.emails.first { $0.id == identity?.emailID }
        let isProofNeeded = identity?.needsProof == true && configuration.email.requiresVerification
        if isProofNeeded, email == nil {
            return .fail(
                FlowRefusal(
                    .operationNotPermitted,
                    "The account at \(identity?.provider ?? "") was linked to the user \(account.id) by an address that the provider "
                        + "has not verified, and that the user no longer has: there is nowhere to send a code to."
                ))
        }
        if let email {
            flow.stash.email = email.address
            if !email.isVerified || isProofNeeded, configuration.email.requiresVerification {
                flow.stash.unprovedIdentityID = isProofNeeded ? token.identityID : nil
                flow.stash.passcodePurpose = .emailVerification
                states.append(.passcodeConfirmation)
            }
        }
        // Whom this sign-in made is asked as somebody who registers.
        let kind: FlowKind = token.isNewUser ? .registration : .login
        if missesEmail(account, in: kind) { states.append(.onboardingEmail) }
        if missesUsername(account, in: kind) { states.append(.onboardingUsername) }
        note(
            "token exchanged",
            "The provider \(identity?.provider ?? "") vouched for the user \(account.id). What follows: "
                + (states + [.success]).map(\.rawValue).joined(separator: ", ") + ".")
        return .proceed(states + [.success], isRevertible: false)
    }
}
