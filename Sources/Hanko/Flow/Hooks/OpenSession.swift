import Essentials
import PlatformKit

extension FlowHook {
    /// Before `success`: opens the session, and trusts the device where that is wanted. Source: Hanko 2.7, Flow API.
    static let openSession = FlowHook { turn in
        let account = try turn.requireAccount()
        var opened = try SessionStore.open(turn.caller.newSession, for: account.id, in: turn.db)
        opened.username = account.user.username
        opened.amr = turn.flow.stash.amr(of: turn.flow.kind)
        turn.payload["claims"] = try .wire(
            SessionValidity.LongClaims(claims: SessionClaims(opened, turn.configuration.session)))
        turn.add(.session(opened, turn.retention))
        if turn.flow.kind == .login { try turn.rememberLogin(of: account.id) }
    }
}

extension FlowTurn {
    fileprivate var retention: FlowRetention {
        switch configuration.session.cookie.retention {
        case .persistent: .persistent
        case .session: .session
        case .prompt: flow.stash.remembersMe == true ? .persistent : .session
        }
    }

    fileprivate mutating func rememberLogin(of userID: String) throws {
        try trustDevice(of: userID)
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
