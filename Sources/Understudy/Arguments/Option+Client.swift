/// What the commands that talk to a running server can be told.
extension Option {
    static let client: [Option] = [url, world, clientToken]

    static let url = Option.one("url", "URL", default: "http://localhost:8420", "the server to talk to")
    static let world = Option.one("world", "NAME", default: "default", "the world that is meant")
    static let clientToken = Option.one(
        "control-token", "TOKEN", "what the server asks for when other machines can reach it")
    static let json = Option.flag("json", "print JSON for programs instead of text for people")
    static let wait = Option.one(
        "wait", "TIME", default: "0s", "wait so long for a message that has not been sent yet")
    static let kind = Option.one(
        "kind", "KIND", "only codes of this kind, such as passcode, otp, activation or link")
    static let keepTrying = Option.flag(
        "wait", "ask again until it is ready or the time is over"
    ).twin("ready-wait")
    static let timeout = Option.one("timeout", "TIME", default: "30s", "give up after so long")
    static let output = Option.one(
        "output", "FILE", short: "o", default: "standard output", "file to write")
    static let to = Option.one("to", "ADDRESS", "only messages to this recipient")
    static let raw = Option.flag("raw", "print the message as it went out (RFC 5322)")
    static let worldClock = Option.one("clock", "TIME", "the new world's time").twin("world-clock")
    static let worldSeed = Option.one("seed", "N", "makes the new world repeatable").twin("world-seed")
    static let worldFixtures = Option.one(
        "fixtures", "FILE", default: "what the server was started with", "content of the new world"
    ).twin("world-fixtures")
    static let worldOrigin = Option.one(
        "from", "WORLD/SNAPSHOT", "what the new world goes on from, in the place of fixtures")
    static let keepClock = Option.flag("keep-clock", "let the world's clock go on instead of going back too")
    static let authorityFormat = Option.one(
        "format", "pem|der|p12|mobileconfig", default: "pem",
        "p12 is a truststore for Java, mobileconfig a profile for iOS and macOS"
    ).twin("ca-format")
    static let storePassword = Option.one(
        "password", "TEXT", default: "changeit", "of the truststore, which keeps no secret"
    ).twin("ca-password")
    static let follow = Option.flag("follow", "go on with what comes, until interrupted")
    static let refused = Option.flag("refused", "only what was refused, with 400 or more")
    static let platform = Option.one("platform", "NAME", "only requests to this platform, such as hanko")
    static let search = Option.one("search", "TEXT", "only entries that say this anywhere")
    static let journalUser = Option.one("user", "USER", "only what is about this user").twin("journal-user")
    static let after = Option.one("after", "ID", "only codes of messages that came after this one")
    static let used = Option.flag("used", "also a code that was used up or has expired")
    static let mintUser = Option.one("user", "USER", "whose token it is: id or mail address").twin(
        "mint-user")
    static let mintClient = Option.one("client", "ID", "the client that it is for").twin("mint-client")
    static let mintScope = Option.one("scope", "SCOPE", "names of scopes with spaces between them").twin(
        "mint-scope")
    static let claim = Option.many(
        "claim", "NAME=VALUE", separator: "\n", "a claim beside the platform's; VALUE is JSON, or else a text"
    ).twin("mint-claim")
    static let lifetime = Option.one(
        "lifetime", "TIME", default: "what the platform gives", "how long it lasts, such as 10m"
    ).twin("mint-lifetime")
    static let flaw = Option.one(
        "flaw", "FLAW", "what is wrong with it on purpose, such as expired or wrong_key"
    ).twin("mint-flaw")
    static let key = Option.one("key", "KID", "another key of the platform than the one that signs now").twin(
        "mint-key")
    static let last = Option.flag("last", "the newest flow, as without ID").twin("flow-last")
    static let flowFormat = Option.one(
        "format", "text|mermaid|svg|json", default: "text", "how a flow is told"
    ).twin("flow-format")
    static let flowUser = Option.one("user", "USER", "only flows that are about this user").twin("flow-user")
    static let flowWait = Option.one(
        "wait", "TIME", default: "0s", "wait so long for a flow that has not begun yet, 60 s at most"
    ).twin("flow-wait")
    static let limit = Option.one("limit", "N", default: "50", "so many at most, the newest")
    static let markdown = Option.flag("markdown", "print the table of settings as Markdown")
}
