import Essentials
import PlatformKit

extension FlowHook {
    /// Before `success`: opens the session, and trusts the device where that is wanted. Source: Hanko 2.7, Flow API.
    static let openSession = FlowHook { step in
        let account = try step.requireAccount()
        var opened = try step.turn.open(step.caller.newSession(), for: account.id)
        try step.announcer.announce(.sessionCreateFlow, opening: opened, in: step.turn)
        opened.username = account.user.username
        opened.amr = step.flow.stash.amr(of: step.flow.kind)
        step.payload["claims"] = try .wire(
            SessionValidity.LongClaims(claims: SessionClaims(opened, step.configuration)))
        step.opened = (opened, step.retention)
        if step.flow.kind == .login { try step.rememberLogin(of: account.id) }
    }
}

extension FlowStep {
    fileprivate var retention: FlowRetention {
        switch configuration.session.cookie.retention {
        case .persistent: .persistent
        case .session: .session
        case .prompt: flow.stash.remembersMe == true ? .persistent : .session
        }
    }

    fileprivate mutating func rememberLogin(of userID: String) throws {
        try trustDevice(of: userID)
        var details: [String: String] = [:]
        details["login_method"] = flow.stash.loginMethod?.rawValue
        details["mfa_method"] = flow.stash.mfaMethod?.rawValue
        try audit(.loginSuccess, userID: userID, address: flow.stash.email, details: details)
        try announce(.userLogin, userID: userID)
        var login: [String: JSONValue] = [:]
        login["login_method"] = flow.stash.loginMethod.map { .string($0.rawValue) }
        login["mfa_method"] = flow.stash.mfaMethod.map { .string($0.rawValue) }
        login["third_party_provider"] = flow.stash.thirdPartyProvider.map(JSONValue.string)
        payload["last_login"] = .object(login)
    }
}

extension FlowStash {
    /// How the user signed in: the first factor and then the second; for a registration everything that was used or set up.
    ///
    /// Source: Hanko 2.5 and later, claim `amr`. RFC 8176 knows some of the values.
    func amr(of kind: FlowKind) -> [String] {
        let external = thirdPartyProvider.map { "ext:\($0)" } ?? "ext"
        guard kind == .registration else {
            let first = loginMethod.map { $0 == .thirdParty ? external : $0.amr }
            let second = mfaMethod.map { $0 == .totp ? "totp" : "security_key" }
            return [first, second].compactMap(\.self)
        }
        var amr: [String] = []
        if isEmailVerified == true, loginMethod != .thirdParty { amr.append("otp") }
        if loginMethod == .thirdParty { amr.append(external) }
        if passwordHash != nil { amr.append("pwd") }
        let credentials = newCredentials ?? []
        if credentials.contains(where: { !$0.isMFAOnly }) { amr.append("passkey") }
        if isOTPConfirmed == true { amr.append("totp") }
        if credentials.contains(where: \.isMFAOnly) { amr.append("security_key") }
        return amr
    }
}

extension FlowStash.LoginMethod {
    fileprivate var amr: String {
        switch self {
        case .password: "pwd"
        case .passcode: "otp"
        case .passkey: "passkey"
        case .thirdParty: "ext"
        }
    }
}

extension FlowHook {
    /// Before `success` and `profile_init`: the user as `GET /me` shows one.
    static let showProfile = FlowHook { step in
        step.payload["user"] = try .wire(Profile(try step.requireAccount(), step.configuration))
    }
}
