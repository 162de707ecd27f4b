import Essentials

extension Device {
    /// `push/device/register`: where messages for the device go.
    ///
    /// - Parameters:
    ///   - platform: `apns`, `fcm`, `hms`, or one of the names before them.
    ///   - environment: `development` or `production`, APNs alone.
    ///   - isNewPath: the same under `register/token`.
    package func registerPush(
        platform: String, token: String, environment: String? = nil, isNewPath: Bool = false
    ) throws {
        var members: [String: JSONValue] = ["platform": .string(platform), "token": .string(token)]
        members["environment"] = environment.map(JSONValue.string)
        _ = try universalCall("/api/push/device/register" + (isNewPath ? "/token" : ""), .object(members))
    }
}
