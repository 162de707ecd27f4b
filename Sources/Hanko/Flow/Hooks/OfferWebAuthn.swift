import Essentials
import PlatformKit

extension FlowHook {
    /// Before `login_init`: options for a passkey that the browser offers in the input field.
    static let offerConditionalLogin = FlowHook { step in
        guard step.canUsePasskeys, step.flow.stash.capabilities?.conditionalMediation == true else { return }
        try step.offerLogin(.passkeyLogin)
    }

    /// Before `login_passkey`: options for a passkey, or for the user's security keys.
    static let offerLogin = FlowHook { step in
        try step.offerLogin(step.flow.stash.wantsSecurityKey == true ? .securityKeyLogin : .passkeyLogin)
    }

    /// Before the state that takes a new credential: options for it.
    static let offerCreation = FlowHook { step in
        try step.offerCreation(step.flow.stash.wantsSecurityKey == true ? .securityKey : .passkey)
    }
}

extension FlowStep {
    fileprivate mutating func offerLogin(_ use: FlowChallenge.Use) throws {
        let isKey = use == .securityKeyLogin
        let rules = CeremonyRules(isKey ? .securityKey : .passkey, configuration)
        let challenge = entropy.challenge()
        let allowed = isKey ? try requireAccount().credentials : []
        let end = now.addingTimeInterval(Double(rules.loginTimeout) / 1000)
        flow.stash.challenge = FlowChallenge(
            bytes: challenge, use: use, allowed: allowed.map(\.id), expiresAt: end)
        payload["request_options"] = try .wire(
            rules.requestOptions(challenge, allowing: allowed, tellsTransports: isKey))
    }

    fileprivate mutating func offerCreation(_ use: FlowChallenge.Use) throws {
        let rules = CeremonyRules(use == .securityKey ? .securityKey : .passkey, configuration)
        let account = try account()
        let address = account?.primaryEmail?.address ?? flow.stash.email
        let username = account?.user.username ?? flow.stash.username
        let owner = try credentialOwner()
        let challenge = entropy.challenge()
        flow.stash.challenge = FlowChallenge(
            bytes: challenge, use: use, allowed: [],
            expiresAt: now.addingTimeInterval(Double(rules.registrationTimeout) / 1000), ownerID: owner)
        payload["creation_options"] = try .wire(
            rules.creationOptions(
                challenge, for: owner, name: address ?? username ?? "",
                displayName: username ?? address ?? "", excluding: account?.credentials ?? []))
    }

    /// Id of the user whom a new credential is for, who need not exist yet.
    func credentialOwner() throws -> String {
        try userID ?? flow.stash.newUserID ?? requireAccount().id
    }
}
