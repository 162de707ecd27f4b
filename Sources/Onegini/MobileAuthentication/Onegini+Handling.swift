import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What fetching and answering have in common.
extension Onegini {
    /// Checks 1 to 3: the user and device behind the access token.
    ///
    /// - Parameters: the events to note when the token, or the device behind it, is not good.
    func requireHandler(
        _ request: Request, badToken: EventType, badDevice: EventType
    ) throws -> DeviceUser {
        do {
            return try requireDeviceUser(request)
        } catch let refusal as any OAuthRefusal {
            switch refusal.wire.error {
            case "invalid_token": try note(badToken, request)
            case "invalid_client": try note(badDevice, request)
            default: break
            }
            throw refusal
        }
    }

    /// The profile that the body names, which must be the token's own.
    func checkProfile(_ members: Members, _ user: DeviceUser, absent: EventType, _ request: Request) throws {
        guard let named = try members.optionalText("profile_id") else {
            try note(absent, request, user)
            throw DeviceCallRefusal.requestInvalid(
                "The body lacks the member \"profile_id\", without which nothing is handed out.",
                sdkCode: 10015)
        }
        guard named == user.profile.id else {
            throw DeviceCallRefusal.profileMismatch(named: named, token: user.profile.id)
        }
    }

    /// Check 5.
    func requireMobileAuthentication() throws -> MobileAuthenticationSettings {
        let settings = try mobileAuthentication()
        guard settings.isEnabled else { throw HandlingRefusal.disabled }
        return settings
    }

    /// Check 8. That an enrollment was revoked is told once.
    @discardableResult
    func requireEnrollment(of profile: Profile, _ turn: Turn) throws -> Enrollment {
        if let found = try turn.db.enrollment(of: profile.id, on: profile.clientID) { return found }
        let isNews = try registry.takeDisenrollment(of: profile.id, on: profile.clientID, in: turn.db)
        throw turn.kept(isNews ? HandlingRefusal.disenrolled(profile.id) : .notEnrolled(profile.id)) {
            _ = try registry.takeDisenrollment(of: profile.id, on: profile.clientID, in: $0.db)
        }
    }

    /// Writes a transaction that changed, and tells the portal of its end.
    func keep(
        _ transaction: MobileTransaction, _ settings: MobileAuthenticationSettings, _ turn: Turn
    ) throws {
        try turn.update(transaction)
        if !transaction.stored.isOpen { announce(transaction, settings, turn) }
    }

    func note(_ type: EventType, _ request: Request, _ user: DeviceUser? = nil) throws {
        try world.change { turn in try add(type, user, nil, request, turn) }
    }

    func add(
        _ type: EventType?, _ user: DeviceUser?, _ transactionID: String?, _ request: Request,
        _ turn: Turn
    ) throws {
        guard let type else { return }
        try turn.insert(
            Event(
                type, clientID: user?.client.id, subject: user?.profile.subject,
                transactionID: transactionID, application: user?.device.application, request, services))
    }
}
