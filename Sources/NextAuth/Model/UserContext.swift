import Essentials

/// What a back end tells of a session; both parts have `ip`, `useragent`, `logo` and `info`, and are kept as they came.
struct UserContext: Sendable, Equatable, Codable {
    var sessionInfo: JSONValue?
    var announceInfo: JSONValue?

    enum CodingKeys: String, CodingKey {
        case sessionInfo = "sessioninfo"
        case announceInfo = "announceinfo"
    }
}
