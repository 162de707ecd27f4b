import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// How devices fetch and answer transactions. The checks are numbered as in the device protocol.
struct TransactionHandling: Sendable {
    let authentication: DeviceAuthentication
    let registry: DeviceRegistry

    var world: World { registry.world }

    init(_ authentication: DeviceAuthentication, _ registry: DeviceRegistry) {
        (self.authentication, self.registry) = (authentication, registry)
    }

    /// Checks 1 to 3: the user and device behind the access token.
    ///
    /// - Parameters: the events to note when the token, or the device behind it, is not good.
    func requireCaller(_ request: Request, badToken: EventType, badDevice: EventType) throws -> DeviceUser {
        do {
            return try authentication.requireUser(request)
        } catch let refusal as any OAuthRefusal {
            switch refusal.wire.error {
            case "invalid_token": try note(badToken, nil, request)
            case "invalid_client": try note(badDevice, nil, request)
            default: break
            }
            throw refusal
        }
    }

    /// The profile that the body names, which must be the token's own.
    func checkProfile(_ members: Members, _ user: DeviceUser, absent: EventType, _ request: Request) throws {
        guard let named = try members.optionalText("profile_id") else {
            try note(absent, user, request)
            throw DeviceCallRefusal.requestInvalid(
                "The body lacks the member “profile_id”, without which nothing is handed out.",
                sdkCode: 10015)
        }
        try user.require(profile: named)
    }

    /// Check 5.
    func requireMobileAuthentication() throws -> MobileTransactions {
        let settings = try world.mobileAuthentication()
        guard settings.isEnabled else { throw HandlingRefusal.disabled }
        return MobileTransactions(registry, settings)
    }

    /// Check 8. That an enrollment was revoked is told once.
    @discardableResult
    func requireEnrollment(of profile: Profile, _ turn: Turn) throws -> Enrollment {
        if let found = try turn.db.enrollment(of: profile.id, on: profile.clientID) { return found }
        let isNews =
            try turn.db.tombstone(.enrollment, of: profile.clientID, profile: profile.id, at: turn.now) != nil
        throw turn.kept(isNews ? HandlingRefusal.disenrolled(profile.id) : .notEnrolled(profile.id)) {
            _ = try registry.takeDisenrollment(of: profile.id, on: profile.clientID, in: $0.db)
        }
    }

    private func note(_ type: EventType, _ user: DeviceUser?, _ request: Request) throws {
        try AuditLog(world).note(Event(type, of: user, request, registry.services))
    }

    func add(
        _ type: EventType?, _ user: DeviceUser, _ transactionID: String, _ request: Request, _ turn: Turn
    ) throws {
        guard let type else { return }
        try turn.insert(Event(type, of: user, transactionID: transactionID, request, registry.services))
    }
}
