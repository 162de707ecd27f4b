import Crypto
import Essentials
import HTTP
import PlatformKit

/// Which lines of the audit a back end wants.
struct AuditQuery: Sendable {
    let clientID: String?
    let from: Date?
    let to: Date?
    let userID: String?
    /// SHA-256 of an M-Pin id, hexadecimal.
    let hashMPinID: String?
    let deviceName: String?
    let offset: Int
    let limit: Int

    static let defaultLimit = 100
    static let greatestLimit = 1000

    /// - Throws: ``ManagementRefusal``.
    init(_ query: Form) throws {
        func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        (clientID, userID, deviceName) = (text("applicationId"), text("userId"), text("deviceName"))
        from = try text("fromDate").map { try Self.date($0, "fromDate") }
        to = try text("toDate").map { try Self.date($0, "toDate") }
        hashMPinID = text("mpinId").map { name in
            // A hash has 64 digits; an id is JSON, and longer.
            if name.count == 64 { return name.lowercased() }
            return Hex.encode(Digest.sha256(Hex.decode(name) ?? Array(name.utf8)))
        }
        offset = try text("offset").map { try Self.number($0, "offset", 0...Int.max) } ?? 0
        let wished = try text("limit").map { try Self.number($0, "limit", 1...Self.greatestLimit) }
        limit = wished ?? Self.defaultLimit
    }

    func wants(_ entry: AuditEntry) -> Bool {
        (clientID.map { $0 == entry.clientID } ?? true) && (from.map { $0 <= entry.at } ?? true)
            && (to.map { entry.at <= $0 } ?? true) && (userID.map { $0 == entry.userID } ?? true)
            && (hashMPinID.map { $0 == entry.hashMPinID } ?? true)
            && (deviceName.map { $0 == entry.deviceName } ?? true)
    }

    private static func date(_ text: String, _ name: String) throws -> Date {
        if let date = Timestamp.parse(text) ?? Timestamp.parse(text + "T00:00:00Z") { return date }
        if let seconds = Int(text), seconds >= 0, seconds < 100_000_000_000 {
            return Date(timeIntervalSince1970: Double(seconds))
        }
        throw ManagementRefusal.parameter(
            name, "expected a time as RFC 3339, a day or seconds since 1970, found “\(text.prefix(40))”.")
    }

    private static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ManagementRefusal.parameter(
                name,
                "expected a number from \(range.lowerBound)\(range.upperBound == .max ? "" : " to \(range.upperBound)"), "
                    + "found “\(text.prefix(40))”.")
        }
        return number
    }
}
