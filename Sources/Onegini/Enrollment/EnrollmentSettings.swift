import Essentials
import PlatformKit
import SQLite

/// Who may take part in mobile authentication, and how. What is left out has the value named.
///
/// Source: Token Server documentation, topics “mobile authentication” and “push authentication”.
struct EnrollmentSettings: Sendable, Equatable {
    enum PushMode: String, Codable, Sendable, CaseIterable {
        /// A user has push on one device, and another one is refused.
        case singleDevice = "single_device"
        /// A user has push on one device, the last that asked.
        case override
        case multipleDevices = "multiple_devices"
    }

    var isEnabled = true
    /// Whether each enrollment gets a key pair of the server's own; the first answer then takes as long as making it.
    var hasUniqueKeys = false
    /// Whether a profile that is enrolled may enroll again.
    var allowsReenrollment = true
    var isPushEnabled = true
    var pushMode = PushMode.singleDevice

    init() {}
}

extension EnrollmentSettings: Codable {
    enum CodingKeys: String, CodingKey {
        case isEnabled = "enabled"
        case hasUniqueKeys = "unique_keys"
        case allowsReenrollment = "reenrollment_allowed"
        case isPushEnabled = "push_enabled"
        case pushMode = "push_mode"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try values.read(.isEnabled, into: &isEnabled)
        try values.read(.hasUniqueKeys, into: &hasUniqueKeys)
        try values.read(.allowsReenrollment, into: &allowsReenrollment)
        try values.read(.isPushEnabled, into: &isPushEnabled)
        try values.read(.pushMode, into: &pushMode)
    }
}

extension EnrollmentSettings {
    static let setting = Setting<EnrollmentSettings>("onegini.enrollment")

    static func current(in db: Connection) throws -> EnrollmentSettings {
        try setting.value(in: db) ?? EnrollmentSettings()
    }
}
