import Essentials
import SQLite

/// A login that began in an app and waits until its operation was approved on the device.
struct MobileLogin: Codable, Sendable, Equatable {
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
}

extension MobileLogin: RowDecodable {
    init(row: Row) throws {
        operationID = try row.text("operation_id")
        session = try row.text("session")
        userID = try row.text("user_id")
        registrationID = try row.text("registration_id")
        startedAt = try row.date("started_at")
        usedAt = try row.optionalDate("used_at")
    }
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
        guard age <= Double(seconds) else { return .tooLate(seconds: Int(age), limit: seconds) }
        return nil
    }
}
