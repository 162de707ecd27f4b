extension Device {
    /// Version of the mobile protocol that the device's requests speak.
    package enum Version: String, Sendable, Codable, CaseIterable, Comparable {
        case v30 = "3.0"
        case v31 = "3.1"
        case v32 = "3.2"
        case v33 = "3.3"

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }
}
