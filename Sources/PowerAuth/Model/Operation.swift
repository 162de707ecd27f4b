import Essentials
import SQLite

/// Something that a back end asks a user to approve on a device.
struct Operation: Sendable, Equatable {
    enum State: String, Codable, Sendable, CaseIterable {
        case pending = "PENDING"
        case approved = "APPROVED"
        case rejected = "REJECTED"
        case canceled = "CANCELED"
        case expired = "EXPIRED"
        case failed = "FAILED"
    }

    /// Version 4 UUID in lower case.
    let id: String
    /// Nil for one that nobody has claimed yet.
    var user: String?
    /// The only activation that may approve it; nil for any of the user's.
    let activation: String?
    /// Every application in which it is visible.
    let applications: [String]
    let template: String
    /// `operationType`, from the template: the key of the mobile template.
    let type: String
    /// Operation data as the device signs it: `A1*A63.99EUR*I…`.
    let data: String
    let parameters: [String: String]
    /// Facts collected while it is handled. `device` is computed when read and never stored.
    var additionalData: [String: JSONValue]
    /// As stored; ``state(at:)`` knows what time has done to it.
    var state: State
    /// Machine-readable, at most 32 characters; of a cancelled one only.
    var stateReason: String?
    /// Allowed factors, from the template.
    let types: [SignatureType]
    /// Of `X`, `C` and `F`.
    let riskFlags: String
    var failures: Int
    let maxFailures: Int
    /// 16 bytes; nil without proximity check.
    let proximitySeed: [UInt8]?
    /// Activation flag that a device needs to see and approve it.
    let flag: String?
    /// The caller's reference.
    let externalID: String?
    /// Language of texts that are made without a device, such as pushes and offline codes.
    let language: String
    let createdAt: Date
    let expiresAt: Date
    /// Set when approved, rejected or failed; not when cancelled or expired.
    var finalizedAt: Date?

    /// What it is at this moment.
    func state(at now: Date) -> State { state == .pending && now >= expiresAt ? .expired : state }
}
