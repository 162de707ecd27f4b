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
        for (name, value) in [
            ("inactivityTimeout", inactivityTimeout), ("appLoginTimeout", appLoginTimeout),
            ("secondFactorUserInputTimeout", secondFactorUserInputTimeout),
        ] {
            if let value, !(1...Self.longestSeconds ~= value) {
                return
                    "The config's \(name) is \(value); expected 1 to \(Self.longestSeconds), in seconds."
            }
        }
        return nil
    }

    private static let longestSeconds = 31_536_000
}
