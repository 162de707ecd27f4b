import Essentials
import PlatformKit
import SQLite

/// A login that began in an app and waits until its operation was approved on the device.
struct MobileLogin: Traced, Equatable {
    static let table = Table("app_mobile_login", key: "operation_id", limit: 10_000)

    var operationID: String
    /// What the app got when it began: nobody else can confirm this login.
    var session: String
    var userID: String
    var registrationID: String
    var startedAt: Date
    /// When it was confirmed; a login is good once.
    var usedAt: Date?

    enum CodingKeys: String, CodingKey {
        case operationID = "operation_id"
        case session
        case userID = "user_id"
        case registrationID = "registration_id"
        case startedAt = "started_at"
        case usedAt = "used_at"
    }
    static let migrations: [SQL] = [
        """
        CREATE TABLE app_mobile_login (
            position INTEGER PRIMARY KEY,
            operation_id TEXT NOT NULL UNIQUE,
            session TEXT NOT NULL,
            user_id TEXT NOT NULL,
            registration_id TEXT NOT NULL,
            started_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX app_mobile_login_start ON app_mobile_login (started_at)",
    ]
}

extension MobileLogin {
    var subjects: [Subject] { [Subject(.operation, operationID)] }
}

extension MobileLogin {
    /// Why its operation does not log anybody in; nil when it does.
    ///
    /// - Parameters:
    ///   - operation: as the platform tells it at this moment.
    ///   - seconds: how long after the approval a login may be confirmed.
    func refusal(of operation: PowerAuthCloud.Operation, at now: Date, within seconds: Int)
        -> MobileLoginError?
    {
        guard operation.operationId == operationID else {
            return .platformConfused(
                "was asked for the operation \(operationID), told of \(operation.operationId)")
        }
        guard operation.status == "APPROVED" else { return .notApproved(operation.status) }
        guard usedAt == nil else { return .usedAlready(operationID) }
        guard operation.userId == userID else { return .otherUser(got: operation.userId, expected: userID) }
        guard operation.registrationId == registrationID else {
            return .otherRegistration(got: operation.registrationId, expected: registrationID)
        }
        guard let milliseconds = operation.timestampFinalized else {
            return .platformConfused("says that the operation \(operationID) is approved, but not since when")
        }
        let age = now.timeIntervalSince1970 - Double(milliseconds) / 1000
        guard age <= Double(seconds) else { return .tooLate(seconds: Int(saturating: age), limit: seconds) }
        return nil
    }
}
