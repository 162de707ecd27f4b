import PlatformKit

/// Every command, in the order of the help.
enum Commands {
    static let all: [Command] = [
        serve, ready, exec, code, outbox, journal, flow, otp, mint, phone, world, clock, snapshot, fault,
        fixtures, ca, helper, stub, completion, man, version, help,
    ]

    static func named(_ name: String) -> Command? { all.first { $0.name == name } }

    static let serve = Command(
        name: "serve", summary: "start, and run until SIGINT or SIGTERM",
        options: Option.serve + [.quiet, .json],
        discussion: [
            "The last line of the banner is “ready URL”; from then on every request is answered.",
            "Exit status: 0 after a clean stop, 1 when it cannot start, 2 for a wrong command line.",
        ],
        examples: [
            ("serve --config team.json", "options in its member $serve, and fixtures beside it"),
            ("serve --port 0 --quiet", "on a free port, printing only the ready line"),
            ("serve --fixtures default --fixtures team.json", "the built-in cast and your own people"),
            ("serve --lan", "for phones in this network: TLS, a port for each platform, a control token"),
            ("serve --tls auto", "HTTPS beside HTTP, with a CA that understudy ca shows how to trust"),
            ("serve --listen app=8421", "the sample app at the root of a port of its own"),
        ],
        run: Serve.run)

    static let ready = Command(
        name: "ready", summary: "exit with 0 when a server is ready, as a health check does",
        options: [.keepTrying, .timeout, .url],
        examples: [("ready --wait --timeout 10s", "wait for a server that is just starting")],
        run: Ready.run)

    static let exec = Command(
        name: "exec", summary: "start, run a command with UNDERSTUDY_URL set, stop, exit with its status",
        operands: .command, options: Option.serve,
        discussion: [
            "Listens on a free port unless --port is given. The command finds the server in UNDERSTUDY_URL, each",
            "platform in UNDERSTUDY_HANKO_URL and the like, with --smtp-port where mail goes in UNDERSTUDY_SMTP_URL, and the",
            "token in UNDERSTUDY_CONTROL_TOKEN if there is one.",
            "Exit status: the command's own, 128 + N when signal N ended it, 127 when it cannot be found.",
        ],
        examples: [("exec -- npm test", "run tests against a fresh server")],
        run: Exec.run)

    static let code = Command(
        name: "code", summary: "print the newest code, or else link, that was sent to somebody",
        operands: .one("TO"), options: [.wait, .kind, .after, .used] + Option.client + [.json],
        discussion: [
            "A code that was used up or has expired is none; the id of a message is what --json says."
        ],
        examples: [
            ("code ada@example.test --wait 10s", "wait for a passcode and print it"),
            ("code ada@example.test --after 7 --wait 10s", "only one that came after message 7"),
        ],
        run: Code.run)

    static let outbox = Command(
        name: "outbox", summary: "read the messages that were sent",
        operands: .actions([
            .init(name: "list", arguments: [], help: "the latest messages, newest first"),
            .init(name: "show", arguments: ["ID"], help: "one message"),
            .init(name: "clear", arguments: [], help: "delete all of them"),
        ]),
        options: [.to, .raw] + Option.client + [.json],
        run: OutboxCommand.run)

    static let journal = Command(
        name: "journal", summary: "say what happened, and why it was refused",
        options: [.follow, .refused, .platform, .search, .journalUser, .limit] + Option.client + [.json],
        discussion: ["Prints the latest entries, the newest last, each refusal with its explanation."],
        examples: [("journal --follow --refused", "watch what is refused, until interrupted")],
        run: JournalCommand.run)

    static let otp = Command(
        name: "otp", summary: "start a one-time password that a device confirms, or decide about one",
        operands: .actions(
            [
                .init(
                    name: "start", arguments: [], help: "show a QR code, and wait until somebody confirmed it"
                ),
                .init(name: "list", arguments: [], help: "transactions of the world, newest first"),
                .init(name: "confirm", arguments: ["ID"], help: "as a device of --user would do it"),
                .init(name: "deny", arguments: ["ID"], help: "as a device would do it"),
                .init(name: "expire", arguments: ["ID"], help: "let its time be over"),
            ], hasDefault: false),
        options: Option.otp + Option.client + [.json],
        discussion: [
            "start asks the token server as a portal does, prints a QR code, the one-time password in it, and the address of a",
            "page that shows the same, then one line for each change: fetched, confirmed by ada.",
            "Exit status of start: 0 when it was confirmed, by --user where that is given; 1 otherwise.",
        ],
        examples: [
            ("otp start --user ada", "until ada has confirmed it"),
            ("otp confirm 0f9c6c1e-5d0b-4d0a-9c3e-2f1f6f2a7b11 --user ada", "play her device"),
        ],
        run: OTPCommand.run)

    static let phone = Command(
        name: "phone", summary: "simulated phones: enrol them, see what waits, approve or decline",
        operands: .actions([
            .init(name: "list", arguments: [], help: "the phones of the world"),
            .init(name: "create", arguments: ["NAME"], help: "a new one, of --user"),
            .init(name: "show", arguments: ["NAME"], help: "what its apps hold"),
            .init(
                name: "scan", arguments: ["NAME", "TEXT"], optional: 1,
                help: "what a QR code or a link says, or a code; or --picture"),
            .init(
                name: "enrol", arguments: ["NAME"],
                help: "enrol its owner, with a new code where it takes one"),
            .init(
                name: "do", arguments: ["NAME", "ACTION", "INPUT=VALUE…"], optional: 1,
                help: "something else in an app: begin an AppLogin, log out; show NAME has the list"),
            .init(name: "pending", arguments: ["NAME"], help: "what waits for an answer"),
            .init(
                name: "approve", arguments: ["NAME", "ID"], optional: 1,
                help: "a request, or the first that waits"),
            .init(name: "decline", arguments: ["NAME", "ID"], optional: 1, help: "the same"),
            .init(
                name: "policy", arguments: ["NAME", "POLICY"],
                help: "what it does by itself: manual, approve, decline, ignore …; default with --platform"),
            .init(name: "network", arguments: ["NAME", "STATE"], help: "online, offline or slow"),
            .init(
                name: "sign", arguments: ["NAME", "URIID"], optional: 1,
                help: "print the header field of a signed request"),
            .init(name: "delete", arguments: ["NAME"], help: "for good, with its keys"),
        ]),
        options: Option.phone + Option.client + [.json],
        discussion: [
            "A phone has the apps of platforms, which speak to the server as the vendor's SDK does.",
            "Policies: manual, approve, decline, ignore, “approve after 3 s”, “decline after 3 s”, “wrong PIN twice, then right”.",
            "One for an app (--platform) or for one kind of its requests (--kind) holds before that of the phone; “default” takes it away.",
            "Exit status: 1 when the platform refused, with the SDK's name of the error.",
        ],
        examples: [
            ("phone enrol ada", "Ada's phone of the built-in cast"),
            ("phone do ada applogin --platform nextauth", "then: phone approve ada"),
            ("phone approve ada --wait 30s", "the next operation that somebody starts for her"),
            ("phone approve ada --fault twice", "the same approval two times at once"),
            (
                "phone approve ada ID --fault unasked --platform nextauth",
                "to what another phone was asked"
            ),
            (
                "phone policy ada approve --platform powerauth --kind operation",
                "whatever else comes, she decides"
            ),
            ("phone sign ada /login --body '{}'", "for curl -H"),
            ("phone sign ada --platform onegini", "the access token of her app"),
        ],
        run: PhoneCommand.run)

    static let mint = Command(
        name: "mint", summary: "print a token that a platform signs, good or wrong on purpose",
        operands: .pair("PLATFORM", optional: "KIND"),
        options: [.mintUser, .mintClient, .mintScope, .claim, .lifetime, .flaw, .key] + Option.client + [
            .json
        ],
        discussion: [
            "A good token is known to its platform as if it had been issued: introspection, sessions, revocation. One with a",
            "flaw is wrong in that one way. What there is to mint, GET /_understudy/v1/tokens lists, and so does a wrong KIND.",
        ],
        examples: [
            ("mint hanko session --user ada@example.test", "a session, without a login"),
            ("mint onegini id_token --user ada --client web-app --flaw expired", "for the tests of a client"),
        ],
        run: MintCommand.run)

    static let world = Command(
        name: "world", summary: "list, make, reset and delete worlds",
        operands: .actions([
            .init(name: "list", arguments: [], help: "all worlds"),
            .init(
                name: "create", arguments: ["NAME"], optional: 1,
                help: "a new one; without NAME one is made up"),
            .init(name: "reset", arguments: ["NAME"], help: "back to the content that it began with"),
            .init(name: "delete", arguments: ["NAME"], help: "for good"),
        ]),
        options: [.worldFixtures, .worldOrigin, .worldSeed, .worldClock, .url, .clientToken, .json],
        examples: [("world create blue --seed 7", "a world of its own at /w/blue/")],
        run: WorldCommand.run)

    static let clock = Command(
        name: "clock", summary: "show and move the time of a world",
        operands: .actions([
            .init(name: "show", arguments: [], help: "what time it is there"),
            .init(name: "set", arguments: ["TIME"], help: "such as 2026-12-24T18:00:00Z"),
            .init(name: "advance", arguments: ["TIME"], help: "such as 90s, 5m or 1h30m; -5m goes back"),
            .init(name: "freeze", arguments: ["TIME"], optional: 1, help: "stand still, now or at TIME"),
            .init(name: "release", arguments: [], help: "real time again"),
        ]),
        options: Option.client + [.json],
        examples: [("clock advance 5m", "let a passcode expire")],
        run: ClockCommand.run)

    static let snapshot = Command(
        name: "snapshot", summary: "remember what a world is like, and put it back to that",
        operands: .actions([
            .init(name: "list", arguments: [], help: "the world's snapshots, the oldest first"),
            .init(
                name: "save", arguments: ["NAME"], optional: 1,
                help: "take one, and print its name; without NAME one is made up"),
            .init(name: "restore", arguments: ["NAME"], help: "put the world back to it"),
            .init(name: "delete", arguments: ["NAME"], help: "for good"),
            .init(
                name: "export", arguments: ["NAME", "FILE"], optional: 1,
                help: "write it to a file, NAME.sqlite"),
            .init(name: "import", arguments: ["NAME", "FILE"], help: "take such a file over"),
        ]),
        options: [.keepClock] + Option.client + [.json],
        discussion: [
            "A snapshot holds users, sessions, keys, outbox, clock and chance: everything but the journal. A world has at most 100;",
            "they are kept as long as the world is.",
        ],
        examples: [
            ("snapshot save logged-in", "before each test: snapshot restore logged-in"),
            ("world create blue --from default/logged-in", "another world that goes on from there"),
        ],
        run: SnapshotCommand.run)

    static let fault = Command(
        name: "fault", summary: "let things go wrong on purpose",
        operands: .actions([
            .init(name: "list", arguments: [], help: "the world's faults, and how often each struck"),
            .init(
                name: "add", arguments: ["NAME"], optional: 1,
                help: "one more, and print its name; without NAME one is made up"),
            .init(name: "delete", arguments: ["NAME"], help: "for good"),
            .init(name: "clear", arguments: [], help: "delete all of them"),
        ]),
        options: Option.faults + Option.client + [.json],
        discussion: [
            "Rules are asked in their order for each request to a platform, never to the console or the control API. Each strike stands",
            "in the journal with the name of its rule. Flaws of tokens: "
                + FaultEffect.flaws.prefix(5).joined(separator: ", ") + ",",
            FaultEffect.flaws.dropFirst(5).joined(separator: ", ") + ".",
        ],
        examples: [
            (
                "fault add --platform onegini --path '/*/token' --status 503 --times 2",
                "broken twice, then well"
            ),
            ("fault add slow-mail --mail late:30s", "every mail is late by the world's clock"),
        ],
        run: FaultCommand.run)

    static let fixtures = Command(
        name: "fixtures", summary: "write, check and export fixture files",
        operands: .actions(
            [
                .init(
                    name: "init", arguments: ["PLATFORM", "FILE"], optional: 2,
                    help: "write a starter file, understudy.json; for one platform with its clients and users"
                ),
                .init(
                    name: "check", arguments: ["FILE…"],
                    help: "read files as serve would; says FILE:line:column of every mistake"),
                .init(name: "export", arguments: [], help: "the present state of a world, as a fixture file"),
                .init(
                    name: "carry", arguments: ["PROGRAM"],
                    help: "put the built-in world behind a program file, which starts faster with it"),
            ], hasDefault: false),
        options: [.output] + Option.client,
        examples: [
            ("fixtures init onegini team.json", "people and clients of the token server, to begin with"),
            ("fixtures check team.json", "exit with 0 when nothing is wrong"),
        ],
        run: FixturesCommand.run)

    static let ca = Command(
        name: "ca", summary: "show, export and trust the development CA of --tls auto",
        operands: .actions([
            .init(name: "show", arguments: [], help: "its name, files, fingerprint and end"),
            .init(
                name: "export", arguments: [], help: "write its certificate, in one of the forms of --format"),
            .init(
                name: "trust", arguments: ["CLIENT"], optional: 1,
                help: "what to type or to press, for one client or for all of them"),
        ]),
        options: [.authorityFormat, .storePassword, .output, .data, .allowHost, .json],
        discussion: [
            "The CA is made once, by the first who needs it, and kept in $XDG_STATE_HOME/understudy/ca, by default",
            "~/.local/state/understudy/ca, or in the folder ca of --data. Its key never leaves this machine. It can sign for",
            "localhost, .local, .test, .internal and .home.arpa, for this machine's name, for private addresses, and for what",
            "--allow-host named when it was made; for nothing else. To have it sign for more, remove its files, and trust it anew.",
        ],
        examples: [
            ("ca trust android", "how an Android emulator comes to trust it"),
            ("ca export --format p12 --output understudy-ca.p12", "a truststore for Java"),
        ],
        run: AuthorityCommand.run)

    static let version = Command(
        name: "version", summary: "print the version, and the commit that it was built from",
        run: { _, terminal in
            terminal.print(Version.line)
            return 0
        })

    static let help = Command(
        name: "help", summary: "describe the program or one command",
        operands: .optional("COMMAND"), options: [.markdown], run: HelpCommand.run)
}
