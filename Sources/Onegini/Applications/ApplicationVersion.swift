import Essentials

/// A version of a mobile application on one platform.
///
/// Source: Token Server documentation, config API, “application versions”.
struct ApplicationVersion: Sendable, Equatable {
    enum Platform: String, Codable, Sendable, CaseIterable { case ios, android }

    enum Status: String, Codable, Sendable, CaseIterable {
        case disabled = "DISABLED"
        /// Devices that are registered may go on.
        case loginOnly = "LOGIN_ONLY"
        case full = "LOGIN_REGISTRATION"
    }

    enum IntegrityCheck: String, Codable, Sendable, CaseIterable {
        case full = "FULL"
        /// Any response to a challenge is taken.
        case none = "NONE"
    }

    var platform: Platform
    var name: String
    var status = Status.full
    /// Shared secrets of a device registration, as the vendor's tools compute them from the application.
    var signatures: [String] = []
    var integrityCheck = IntegrityCheck.full
    /// Lowest version of the operating system, such as `15.0`; nil for any.
    var minimumOSVersion: String?
    var blockedOSVersions: [String] = []
    /// Settings that the config API keeps and nothing here obeys.
    var vendor: [String: JSONValue] = [:]

    init(_ platform: Platform, _ name: String) { (self.platform, self.name) = (platform, name) }

    var hasOSRule: Bool { minimumOSVersion != nil || !blockedOSVersions.isEmpty }
}

extension ApplicationVersion: Codable {
    enum CodingKeys: String, CodingKey {
        case platform
        case name = "version_name"
        case status
        case signatures = "application_signatures"
        case integrityCheck = "integrity_check"
        case minimumOSVersion = "minimum_os_version"
        case blockedOSVersions = "blocked_os_versions"
        case vendor
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Platform.self, forKey: .platform), try values.decode(String.self, forKey: .name)
        )
        try values.read(.status, into: &status)
        try values.read(.signatures, into: &signatures)
        try values.read(.integrityCheck, into: &integrityCheck)
        minimumOSVersion = try values.decodeIfPresent(String.self, forKey: .minimumOSVersion)
        try values.read(.blockedOSVersions, into: &blockedOSVersions)
        try values.read(.vendor, into: &vendor)
    }
}

extension ApplicationVersion {
    /// Why this version of the operating system is not let in, as the end of a sentence; nil when it is.
    func fault(ofOSVersion version: String?) -> String? {
        guard hasOSRule else { return nil }
        guard let version, !version.isEmpty else { return "none was sent, and the version has a rule for it" }
        if blockedOSVersions.contains(version) { return "“\(version.prefix(40))” is blocked" }
        guard let minimumOSVersion else { return nil }
        guard let sent = Self.numbers(version) else {
            return "“\(version.prefix(40))” is not a version number"
        }
        let least = Self.numbers(minimumOSVersion) ?? []
        return Self.isBelow(sent, least) ? "“\(version)” is below \(minimumOSVersion)" : nil
    }

    /// Nil for anything but up to eight numbers with dots between.
    private static func numbers(_ text: String) -> [Int]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int($0) : nil }
        return numbers.count == parts.count && parts.count <= 8 ? numbers : nil
    }

    private static func isBelow(_ one: [Int], _ other: [Int]) -> Bool {
        for index in 0..<max(one.count, other.count) {
            let (left, right) = (
                index < one.count ? one[index] : 0, index < other.count ? other[index] : 0
            )
            if left != right { return left < right }
        }
        return false
    }
}
