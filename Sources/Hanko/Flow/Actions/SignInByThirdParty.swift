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
            let client = step.caller.address
            try step.count(
                step.configuration.rateLimiter.tokenRule.map {
                    CallLimit(
                        rule: $0, key: "token_exchange/\(client)",
                        calls: "tokens from \(client) were exchanged")
                })
            let token = try step.thirdPartyToken(
                form.text("token"), verifier: form.text("code_verifier"))
            try step.db.delete(token)
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
    mutating func visitThirdParty() throws -> FlowMove {
        switch caller.thirdParty {
        case .success(let door)?:
            let (url, cookie) = try door.open(db, flow.kind == .profile ? userID : nil)
            payload["redirect_url"] = .string(url)
            cookies.append(cookie)
            return .proceed(.thirdParty)
        case .failure(let fault)?:
            guard let input = fault.input else { throw FlowRefusal.technical(fault.explanation).endingFlow }
            throw FlowRefusal.input(input, .invalid, fault.explanation)
        case nil: throw FlowRefusal.technical("The page of a provider was never requested.").endingFlow
        }
    }

    fileprivate func thirdPartyToken(_ value: String, verifier: String) throws -> ThirdPartyToken {
        guard let token = try db.first(ThirdPartyToken.self, where: "value = \(value)"), token.isFlow else {
            throw FlowRefusal.technical(
                "There is no token \(value.prefix(60)) for flows: it was already used, or belongs to the classic endpoint or to another world."
            )
        }
        let secondsOver = now.timeIntervalSince(token.expiresAt)
        if secondsOver >= 0 {
            throw FlowRefusal.technical(
                "The token expired \(Int(saturating: secondsOver)) s ago; it is valid for \(Int(ThirdPartyToken.lifespanSeconds)) s."
            )
        }
        if let expected = token.codeVerifier, !constantTimeEqual(Array(expected.utf8), Array(verifier.utf8)) {
            throw FlowRefusal.input(
                "code_verifier", .invalid,
                "Expected the code_verifier that thirdparty_oauth got, found "
                    + (verifier.isEmpty ? "none." : "“\(verifier.prefix(60))”."))
        }
        if flow.kind == .profile, token.userID != userID {
            throw FlowRefusal.operationNotPermitted(
                "The token is the user \(token.userID)'s, but \(userID ?? "nobody") is signed in.")
        }
        return token
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
    fileprivate mutating func signIn(by token: ThirdPartyToken) throws -> FlowMove {
        flow.stash.userID = token.userID
        flow.stash.loginMethod = .thirdParty
        let (account, identity) = (try requireAccount(), try db.identity(token.identityID))
        flow.stash.thirdPartyProvider = identity?.provider
        var states: [FlowState] = []
        let email = account.emails.first { $0.id == identity?.emailID }
        let isProofNeeded = identity?.needsProof == true && configuration.email.requiresVerification
        if isProofNeeded, email == nil {
            throw FlowRefusal.operationNotPermitted(
                "The account at \(identity?.provider ?? "") was linked to the user \(account.id) by an address that the provider "
                    + "has not verified, and that the user no longer has: there is nowhere to send a code to."
            ).endingFlow
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
