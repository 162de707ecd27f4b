import PlatformKit

/// Every command, in the order of the help.
enum Commands {
    static let all: [Command] = [
        serve, ready, exec, record, compare, code, outbox, journal, flow, otp, mint, phone, world, clock,
        snapshot,
        fault,
        fixtures, schema, ca, helper, stub, completion, man, version, help,
    ]

    static func named(_ name: String) -> Command? { all.first { $0.name == name } }

    static let serve = Command(
        name: "serve", summary: "start the server, and run until SIGINT or SIGTERM",
        options: Option.serve + [.quiet, .json],
        discussion: [
            "The last line of the banner is “ready URL”; from then on the server answers every request.",
            "Exit status: 0 after a clean stop, 1 when it cannot start, 2 for a wrong command line.",
        ],
        examples: [
            ("serve --config team.json", "options in its member $serve, next to fixtures"),
            ("serve --port 0 --quiet", "on a free port, printing only the ready line"),
            ("serve --fixtures default --fixtures team.json", "the built-in cast and your own people"),
            ("serve --lan", "for phones on this network: TLS, a port for each platform, a control token"),
            ("serve --tls auto", "HTTPS as well as HTTP; understudy ca shows how to trust the CA"),
            ("serve --upstream hanko=https://tenant.example", "a real service in the place of a platform"),
            ("serve --listen app=8421", "the sample app at the root of its own port"),
        ],
        run: Serve.run)

    static let ready = Command(
        name: "ready", summary: "exit with 0 when a server is ready, for health checks",
        options: [.keepTrying, .timeout, .url, .json],
        examples: [("ready --wait --timeout 10s", "wait for a server that is starting")],
        run: Ready.run)

    static let exec = Command(
        name: "exec", summary: "start a server, run a command with UNDERSTUDY_URL set, exit with its status",
        operands: .command, options: Option.serveCommand,
        discussion: [
            "Listens on free ports unless --port, --listen or --smtp-port give others; those of a file are for serve. The",
            "command finds the server in UNDERSTUDY_URL, each platform in UNDERSTUDY_HANKO_URL and so on (with --listen also in",
            "UNDERSTUDY_HANKO_ROOT_URL), the address for mail in UNDERSTUDY_SMTP_URL (with --smtp-port), and the token in",
            "UNDERSTUDY_CONTROL_TOKEN if there is one.",
            "Exit status: the command's own, 128 + N when signal N ended it, 127 when it cannot be found.",
        ],
        examples: [
            ("exec -- npm test", "run tests against a fresh server"),
            ("exec --listen all --smtp-port 0 -- npm test", "each platform and mail on free ports"),
        ],
        run: Exec.run)

    static let code = Command(
        name: "code", summary: "print the newest code or link that was sent to an address",
        operands: .one("TO"), options: [.wait, .kind, .after, .used] + Option.client + [.json],
        discussion: [
            "Codes that were used or have expired are skipped; --json also prints the id of the message."
        ],
        examples: [
            ("code ada@example.com --wait 10s", "wait for a passcode and print it"),
            ("code ada@example.com --after 7 --wait 10s", "only one sent after message 7"),
        ],
        run: Code.run)

    static let outbox = Command(
        name: "outbox", summary: "read the messages that were sent",
        operands: .actions([
            .init(
                name: "list", arguments: [], help: "the latest messages, newest first",
                takes: [.to, .messageLimit, .json]),
            .init(name: "show", arguments: ["ID"], help: "one message", takes: [.raw, .json]),
            .init(name: "clear", arguments: [], help: "delete all of them"),
        ]),
        options: [.to, .messageLimit, .raw] + Option.client + [.json],
        run: OutboxCommand.run)

    static let journal = Command(
        name: "journal", summary: "show what happened, and why it was refused",
        options: [
            .follow, .refused, .platform, .status, .path, .search, .journalUser, .journalAfter, .limit,
        ] + Option.client + [.json],
        discussion: ["Prints the latest entries, newest last, each refusal with its explanation."],
        examples: [
            ("journal --follow --refused", "watch refusals, until interrupted"),
            ("journal --status 4xx --path /token", "refused requests for tokens"),
        ],
        run: JournalCommand.run)

    static let otp = Command(
        name: "otp", summary: "start a transaction that a device confirms, or decide one",
        operands: .actions(
            [
                .init(
                    name: "start", arguments: [], help: "show a QR code, and wait until it is confirmed",
                    takes: Option.otp),
                .init(
                    name: "list", arguments: [], help: "the world's transactions, newest first",
                    takes: [.otpUser]),
                .init(
                    name: "confirm", arguments: ["ID"], help: "confirm it as a device of --user would",
                    takes: [.otpUser]),
                .init(name: "deny", arguments: ["ID"], help: "deny it as a device would"),
                .init(name: "expire", arguments: ["ID"], help: "let it expire"),
            ], hasDefault: false),
        options: Option.otp + Option.client + [.json],
        discussion: [
            "start asks the token server as a portal does. It prints a QR code, the one-time password in it, and the address of a",
            "page that shows the same, then a line for each change: fetched, confirmed by ada.",
            "Exit status of start: 0 when it was confirmed (by --user, if given); 1 otherwise.",
        ],
        examples: [
            ("otp start --user ada", "wait until ada has confirmed it"),
            ("otp confirm 0f9c6c1e-5d0b-4d0a-9c3e-2f1f6f2a7b11 --user ada", "play her device"),
        ],
        run: OTPCommand.run)

    private static let phoneAnswer: [Option] = [
        .phonePlatform, .phoneAccount, .phoneWay, .phonePIN, .phoneFault, .phoneAfter, .phoneWait,
    ]

    static let phone = Command(
        name: "phone", summary: "enrol simulated phones, see what is waiting, approve or decline",
        operands: .actions([
            .init(name: "list", arguments: [], help: "the phones of the world"),
            .init(
                name: "create", arguments: ["NAME"], help: "create a phone for --owner",
                takes: [.phoneOwner, .phoneUser, .phoneModel, .phoneMail, .phoneSDK]),
            .init(name: "show", arguments: ["NAME"], help: "the data of its apps"),
            .init(
                name: "scan", arguments: ["NAME", "TEXT"], optional: 1,
                help: "scan the content of a QR code, a link or a code; or --picture",
                takes: [.phonePicture, .phoneOTP, .phonePUK, .phoneAccount, .phonePIN]),
            .init(
                name: "enrol", arguments: ["NAME"],
                help: "enrol its owner, with a new code where one is needed",
                takes: [
                    .phonePlatform, .phoneAccount, .phoneUser, .phonePIN, .phoneOTP, .phoneProtocol,
                    .phoneProvider,
                ]),
            .init(
                name: "do", arguments: ["NAME", "ACTION", "INPUT=VALUE…"], optional: 1,
                help: "another action of an app, such as an AppLogin or a logout; show NAME lists them",
                takes: [.phonePlatform, .phoneAccount]),
            .init(
                name: "pending", arguments: ["NAME"], help: "requests that are waiting",
                takes: [.phoneWait]),
            .init(
                name: "approve", arguments: ["NAME", "ID"], optional: 1,
                help: "approve a request, or the first one waiting",
                takes: Self.phoneAnswer),
            .init(
                name: "decline", arguments: ["NAME", "ID"], optional: 1, help: "decline it instead",
                takes: Self.phoneAnswer),
            .init(
                name: "policy", arguments: ["NAME", "POLICY"],
                help: "how it answers: manual, approve, decline, ignore …; default with --platform",
                takes: [.phonePlatform, .phoneKind]),
            .init(name: "network", arguments: ["NAME", "STATE"], help: "online, offline or slow"),
            .init(
                name: "sdk", arguments: ["NAME", "GENERATION"],
                help: "update its app: 1.9 or 2.x for PowerAuth",
                takes: [.phonePlatform]),
            .init(
                name: "sign", arguments: ["NAME", "URIID"], optional: 1,
                help: "print the header of a signed request",
                takes: [
                    .phonePlatform, .phoneAccount, .phoneMethod, .phoneBody, .phoneWay, .phonePIN,
                    .phoneToken,
                ]),
            .init(name: "delete", arguments: ["NAME"], help: "delete it with its keys"),
        ]),
        options: Option.phone + Option.client + [.json],
        discussion: [
            "A phone has the platforms' apps, which speak to the server as the vendors' SDKs do.",
            "Policies: manual, approve, decline, ignore, “approve after 3 s”, “decline after 3 s”, “wrong PIN twice, then right”.",
            "A policy for an app (--platform) or one kind of its requests (--kind) overrides that of the phone; “default” removes it.",
            "Exit status: 1 when the platform refused, with the SDK's name for the error.",
        ],
        examples: [
            ("phone enrol ada", "Ada's phone of the built-in cast"),
            ("phone enrol grace --platform powerauth --protocol 4.0", "as an app with the SDK 2.x"),
            ("phone do ada applogin --platform nextauth", "then: phone approve ada"),
            ("phone approve ada --wait 30s", "the next operation that is started for her"),
            ("phone approve ada --fault twice", "the same approval twice at once"),
            (
                "phone approve ada ID --fault unasked --platform nextauth",
                "to what another phone was asked"
            ),
            (
                "phone policy ada approve --platform powerauth --kind operation",
                "she decides everything else herself"
            ),
            ("phone sign ada /login --body '{}'", "for curl -H"),
            ("phone sign ada --platform onegini", "the access token of her app"),
        ],
        run: PhoneCommand.run)

    static let mint = Command(
        name: "mint", summary: "print a token of a platform, valid or wrong on purpose",
        operands: .pair("PLATFORM", optional: "KIND"),
        options: [.mintUser, .mintClient, .mintScope, .claim, .lifetime, .flaw, .key] + Option.client + [
            .json
        ],
        discussion: [
            "The platform knows a good token as if it had been issued: introspection, sessions, revocation. A token with a",
            "flaw is wrong in that one way. GET /_understudy/v1/tokens lists the kinds, and so does the error for a wrong KIND.",
        ],
        examples: [
            ("mint hanko session --user ada@example.com", "a session, without a login"),
            ("mint onegini id_token --user ada --client web-app --flaw expired", "for testing a client"),
        ],
        run: MintCommand.run)

    static let ca = Command(
        name: "ca", summary: "show, export and trust the development CA of --tls auto",
        operands: .actions([
            .init(
                name: "show", arguments: [], help: "its name, files, fingerprint and expiry", takes: [.json]),
            .init(
                name: "export", arguments: [], help: "write its certificate in the format of --format",
                takes: [.authorityFormat, .storePassword, .output]),
            .init(
                name: "trust", arguments: ["CLIENT"], optional: 1,
                help: "how to trust it, for one client or for all"),
        ]),
        options: [.authorityFormat, .storePassword, .output, .data, .allowHost, .json],
        discussion: [
            "The CA is created once, on first use, and kept in $XDG_STATE_HOME/understudy/ca, by default",
            "~/.local/state/understudy/ca, or in the folder ca of --data. Its key never leaves this machine. It can sign for",
            "localhost, .local, .test, .internal and .home.arpa, for this machine's name, for private addresses, and for the",
            "names that --allow-host gave when it was created; for nothing else. To sign for more, remove its files and trust the new CA.",
        ],
        examples: [
            ("ca trust android", "how to trust it on Android"),
            ("ca export --format p12 --output understudy-ca.p12", "a truststore for Java"),
        ],
        run: AuthorityCommand.run)

    static let version = Command(
        name: "version", summary: "print the version and the commit it was built from", options: [.json],
        run: { invocation, terminal in
            if invocation.flag(.json) {
                terminal.write(JSONText.line(Version.parts))
            } else {
                terminal.print(Version.line)
            }
            return 0
        })

    static let help = Command(
        name: "help", summary: "describe the program or one command",
        operands: .optional("COMMAND"), options: [.markdown], run: HelpCommand.run)
}
