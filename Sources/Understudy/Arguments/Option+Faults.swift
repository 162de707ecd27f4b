import PlatformKit

/// What `fault add` can be told: which requests are meant, and what goes wrong with them.
extension Option {
    static let faults: [Option] =
        [faultPlatform, faultMethod, faultPath, faultUser, faultClient, faultFrom, faultTimes, faultChance]
        + faultEffects + [faultBody]

    static let faultPlatform = meaning("platform", "NAME", "only requests to this platform, such as onegini")
    static let faultMethod = meaning("method", "METHOD", "only requests with this method")
    static let faultPath = meaning(
        "path", "PATTERN",
        "only requests to this path below the platform, such as /token, /users/:id or /oauth/*")
    static let faultUser = meaning("user", "ID", "only requests that name this user")
    static let faultClient = meaning(
        "client", "ID", "only requests that name this client, application or device")
    static let faultFrom = meaning("from", "N", "start with the Nth hit")
    static let faultTimes = meaning("times", "N", "only this many hits; later ones succeed")
    static let faultChance = meaning(
        "chance", "PERCENT", "only this share of the hits, chosen by the world's random values")
    static let faultBody = meaning("body", "TEXT", "the body of the answer with --status, text or JSON")

    /// One of these says what the fault does.
    private static let faultEffects = FaultEffects.all.map {
        meaning(name(of: $0), $0.form.replacing(", ", with: "|"), $0.does)
    }

    static func name(of kind: any FaultEffect.Type) -> String {
        kind is AnswerEffect.Type ? "status" : kind.key.replacing("_", with: "-")
    }

    private static func meaning(_ name: String, _ placeholder: String, _ help: String) -> Option {
        .one(name, placeholder, help).twin("fault-" + name)
    }
}
