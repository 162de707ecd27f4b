/// What the app's configuration says to a flow; each member may be left out.
struct FlowConfig: Sendable, Equatable, Codable {
    var singleAccount: Bool?
    /// True when left out.
    var autoSelectSingleAccount: Bool?
    var alwaysRequireSecondFactorIfInactiveAppLogin: Bool?
    var blockSecondFactorOnPINBlocked: Bool?
    /// Seconds.
    var inactivityTimeout: Int?
    /// Seconds.
    var appLoginTimeout: Int?
    /// Seconds.
    var secondFactorUserInputTimeout: Int?

    /// Why a value makes no sense, in a sentence; nil when all do.
    var fault: String? {
        Self.fault("inactivityTimeout", inactivityTimeout) ?? Self.fault("appLoginTimeout", appLoginTimeout)
            ?? Self.fault("secondFactorUserInputTimeout", secondFactorUserInputTimeout)
    }

    private static func fault(_ name: String, _ value: Int?) -> String? {
        guard let value, !(1...longestSeconds ~= value) else { return nil }
        return "The config's \(name) is \(value); expected 1 to \(longestSeconds), in seconds."
    }

    private static let longestSeconds = 31_536_000
}
