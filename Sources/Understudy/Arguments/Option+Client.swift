/// What the commands that talk to a running server can be told.
extension Option {
    static let client: [Option] = [url, world, clientToken]

    static let url = Option.one("url", "URL", default: "http://localhost:8420", "the server to talk to")
    static let world = Option.one("world", "NAME", default: "default", "the world to use")
    static let clientToken = Option.one(
        "control-token", "TOKEN", "the token of a server that other machines can reach")
    static let json = Option.flag("json", "print JSON for programs instead of text for people")
    static let wait = Option.one(
        "wait", "TIME", default: "0s", "how long to wait for a message that has not been sent yet")
    static let kind = Option.one(
        "kind", "KIND", "only codes of this kind, such as passcode, otp, activation or link")
    static let keepTrying = Option.flag(
        "wait", "ask again until the server is ready or the time is up"
    ).twin("ready-wait")
    static let timeout = Option.one("timeout", "TIME", default: "30s", "give up after this time")
    static let output = Option.one(
        "output", "FILE", short: "o", default: "standard output", "the file to write")
    static let to = Option.one("to", "ADDRESS", "only messages to this recipient")
    static let raw = Option.flag("raw", "print the message as it was sent (RFC 5322)")
    static let worldClock = Option.one("clock", "TIME", "the time in the new world").twin("world-clock")
    static let worldSeed = Option.one("seed", "N", "makes the new world repeatable").twin("world-seed")
    static let worldFixtures = Option.one(
        "fixtures", "FILE", default: "what the server was started with", "the content of the new world"
    ).twin("world-fixtures")
    static let worldOrigin = Option.one(
        "from", "WORLD/SNAPSHOT", "a snapshot that the new world starts from, instead of fixtures")
    static let keepClock = Option.flag("keep-clock", "leave the world's clock as it is")
    static let authorityFormat = Option.one(
        "format", "pem|der|p12|mobileconfig", default: "pem",
        "p12 is a truststore for Java, mobileconfig a profile for iOS and macOS"
    ).twin("ca-format")
    static let storePassword = Option.one(
        "password", "TEXT", default: "changeit", "the password of the truststore, which holds no secret"
    ).twin("ca-password")
    static let follow = Option.flag("follow", "print new entries as they come, until interrupted")
    static let refused = Option.flag(
        "refused", "only refusals: status 400 or above, or a redirect with an error")
    static let platform = Option.one("platform", "NAME", "only requests to this platform, such as hanko")
    static let status = Option.one(
        "status", "CODE", "only answers with this status, such as 401 or 4xx"
    ).twin("journal-status")
    static let path = Option.one("path", "TEXT", "only requests whose path or query contains this text").twin(
        "journal-path")
    static let journalAfter = Option.one("after", "ID", "only entries after this one").twin("journal-after")
    static let search = Option.one("search", "TEXT", "only entries that contain this text")
    static let journalUser = Option.one("user", "USER", "only entries about this user").twin("journal-user")
    static let after = Option.one("after", "ID", "only codes of messages sent after this one")
    static let used = Option.flag("used", "also codes that were used or have expired")
    static let mintUser = Option.one("user", "USER", "the user of the token: id or email address").twin(
        "mint-user")
    static let mintClient = Option.one("client", "ID", "the client of the token").twin("mint-client")
    static let mintScope = Option.one("scope", "SCOPE", "scopes, separated by spaces").twin(
        "mint-scope")
    static let claim = Option.many(
        "claim", "NAME=VALUE", separator: "\n", "an additional claim; VALUE is JSON, or else text"
    ).twin("mint-claim")
    static let lifetime = Option.one(
        "lifetime", "TIME", default: "the platform's own", "how long it lasts, such as 10m"
    ).twin("mint-lifetime")
    static let flaw = Option.one(
        "flaw", "FLAW", "what is wrong with the token on purpose, such as expired or wrong_key"
    ).twin("mint-flaw")
    static let key = Option.one("key", "KID", "another key of the platform than the current one").twin(
        "mint-key")
    static let last = Option.flag("last", "the newest flow, which is the default").twin("flow-last")
    static let flowFormat = Option.one(
        "format", "text|mermaid|svg|json", default: "text", "how to print a flow"
    ).twin("flow-format")
    static let flowUser = Option.one("user", "USER", "only flows of this user").twin("flow-user")
    static let flowWait = Option.one(
        "wait", "TIME", default: "0s", "how long to wait for a flow that has not begun yet (at most 60s)"
    ).twin("flow-wait")
    static let limit = Option.one("limit", "N", default: "50", "print at most this many, the newest")
    static let messageLimit = Option.one(
        "limit", "N", default: "200", "print at most this many, the newest (at most 1000)"
    ).twin("outbox-limit")
    static let markdown = Option.flag("markdown", "print the table of settings as Markdown")
}
