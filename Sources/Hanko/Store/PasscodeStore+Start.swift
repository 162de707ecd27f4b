import Essentials
import SQLite

extension PasscodeStore {
    /// What came of asking for a passcode.
    struct Start: Sendable {
        let passcode: Passcode
        let email: Email
        /// Whether the address was taken because the user registered it, and nothing named it.
        let isAssumed: Bool
        /// Nil where limits are off.
        let standing: RateLimit?
    }

    /// Counts the call and stores the passcode that `make` makes, for the address that `order` leads to.
    ///
    /// A refusal is returned from the transaction and thrown after it: a throw inside would roll the count back.
    func start(_ order: PasscodeOrder, at now: Date, make: (Email) -> Passcode) throws -> Start {
        let outcome = try database.write { db -> Result<Start, HankoError> in
            guard let user = try UserStore.user(order.userID, in: db) else {
                return .failure(.userUnknown(order.userID))
            }
            let standing = try order.limit.map {
                try RateLimitStore.take($0.key, under: $0.rule, at: now, in: db)
            }
            if let limit = order.limit, let standing, !standing.isGranted {
                return .failure(.rateLimited(standing, calls: limit.calls))
            }
            do {
                let (email, isAssumed) = try Self.address(for: user, order, in: db)
                if let refusal = order.refusal(of: email) { throw refusal }
                let passcode = make(email)
                try Self.insert(passcode, into: db)
                return .success(
                    Start(passcode: passcode, email: email, isAssumed: isAssumed, standing: standing))
            } catch let refusal as HankoError {
                return .failure(standing.map { HankoError.limited($0, refusal) } ?? refusal)
            }
        }
        return try outcome.get()
    }

    /// The address that the body names, else the primary one, else the one of the cookie, else the registered one.
    private static func address(
        for user: User, _ order: PasscodeOrder, in db: Connection
    ) throws -> (email: Email, isAssumed: Bool) {
        if let asked = order.emailID { return (try email(named: asked, isCookie: false, in: db), false) }
        if let primary = try EmailStore.primary(of: user.id, in: db) { return (primary, false) }
        if let cookie = order.cookie {
            guard !cookie.isEmpty else { throw HankoError.emailIDNeeded }
            return (try email(named: cookie, isCookie: true, in: db), false)
        }
        let pending = try user.pendingEmailID.flatMap { try EmailStore.email($0, in: db) }
        guard let pending, order.assumesPendingAddress else {
            throw HankoError.addressUndetermined(userID: user.id, pending: pending?.address)
        }
        return (pending, true)
    }

    private static func email(named text: String, isCookie: Bool, in db: Connection) throws -> Email {
        guard let id = UUIDText.parsed(text) else {
            throw HankoError.emailIDUnparsable(text, isCookie: isCookie)
        }
        guard let email = try EmailStore.email(id, in: db) else {
            throw HankoError.emailUnavailable(id, isCookie: isCookie)
        }
        return email
    }
}
