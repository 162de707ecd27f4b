import PlatformKit

// What a world is made of, and what happens to it.
extension Commands {
    static let world = Command(
        name: "world", summary: "list, create, reset and delete worlds",
        operands: .actions([
            .init(name: "list", arguments: [], help: "all worlds", takes: [.json]),
            .init(
                name: "create", arguments: ["NAME"], optional: 1,
                help: "create a world; without NAME a name is generated",
                takes: [.worldFixtures, .worldOrigin, .worldSeed, .worldClock, .json]),
            .init(name: "reset", arguments: ["NAME"], help: "put it back to its initial state"),
            .init(name: "delete", arguments: ["NAME"], help: "delete it"),
        ]),
        options: [.worldFixtures, .worldOrigin, .worldSeed, .worldClock, .url, .clientToken, .json],
        examples: [("world create blue --seed 7", "a separate world at /w/blue/")],
        run: WorldCommand.run)

    static let clock = Command(
        name: "clock", summary: "show and change the time of a world",
        operands: .actions([
            .init(name: "show", arguments: [], help: "the world's time"),
            .init(name: "set", arguments: ["TIME"], help: "such as 2026-12-24T18:00:00Z"),
            .init(name: "advance", arguments: ["TIME"], help: "such as 90s, 5m or 1h30m; -5m goes back"),
            .init(name: "freeze", arguments: ["TIME"], optional: 1, help: "stop the clock, now or at TIME"),
            .init(name: "release", arguments: [], help: "go back to real time"),
        ]),
        options: Option.client + [.json],
        examples: [("clock advance 5m", "let a passcode expire")],
        run: ClockCommand.run)

    static let snapshot = Command(
        name: "snapshot", summary: "save the state of a world, and restore it",
        operands: .actions([
            .init(
                name: "list", arguments: [], help: "the world's snapshots, oldest first", takes: [.json]),
            .init(
                name: "save", arguments: ["NAME"], optional: 1,
                help: "take one, and print its name; without NAME a name is generated", takes: [.json]),
            .init(
                name: "restore", arguments: ["NAME"], help: "restore the world to it", takes: [.keepClock]),
            .init(name: "delete", arguments: ["NAME"], help: "delete it"),
            .init(
                name: "export", arguments: ["NAME", "FILE"], optional: 1,
                help: "write it to a file (default: NAME.sqlite)"),
            .init(name: "import", arguments: ["NAME", "FILE"], help: "add a snapshot from such a file"),
        ]),
        options: [.keepClock] + Option.client + [.json],
        discussion: [
            "A snapshot holds users, sessions, keys, outbox, clock and random values: everything but the journal. A world has at",
            "most 100; they live as long as the world.",
        ],
        examples: [
            ("snapshot save logged-in", "before each test: snapshot restore logged-in"),
            ("world create blue --from default/logged-in", "another world that starts from there"),
        ],
        run: SnapshotCommand.run)

    static let fault = Command(
        name: "fault", summary: "make things go wrong on purpose",
        operands: .actions([
            .init(
                name: "list", arguments: [], help: "the world's faults, and how often each struck",
                takes: [.json]),
            .init(
                name: "add", arguments: ["NAME"], optional: 1,
                help: "add one, and print its name; without NAME a name is generated",
                takes: Option.faults + [.json]),
            .init(name: "delete", arguments: ["NAME"], help: "delete it"),
            .init(name: "clear", arguments: [], help: "delete all of them"),
        ]),
        options: Option.faults + Option.client + [.json],
        discussion: [
            "Rules apply in their order to each request to a platform, never to the console or the control API. The journal notes each",
            "strike with the name of its rule. Token flaws: "
                + TokenEffect.flaws.prefix(5).joined(separator: ", ") + ",",
            TokenEffect.flaws.dropFirst(5).joined(separator: ", ") + ".",
        ],
        examples: [
            (
                "fault add --platform onegini --path '/*/token' --status 503 --times 2",
                "fails twice, then works"
            ),
            ("fault add slow-mail --mail late:30s", "every mail is late by the world's clock"),
        ],
        run: FaultCommand.run)

    static let fixtures = Command(
        name: "fixtures", summary: "write, check, import and export fixture files",
        operands: .actions(
            [
                .init(
                    name: "init", arguments: ["PLATFORM", "FILE"], optional: 2,
                    help:
                        "write a starter file (default: understudy.json; - prints it), for one platform with its clients and users",
                    takes: [.json]),
                .init(
                    name: "check", arguments: ["FILE…"],
                    help: "read files as serve would, and print FILE:line:column of every mistake",
                    takes: [.json]),
                .init(
                    name: "export", arguments: [],
                    help: "print the current state of a world as a fixture file",
                    takes: [.output, .json] + Option.client),
                .init(
                    name: "import", arguments: ["FILE…"],
                    help: "print fixtures made of other programs' files, or write them to --output",
                    takes: [.output]),
                .init(
                    name: "carry", arguments: ["PROGRAM"],
                    help: "append the built-in world to a program file, so that it starts faster"),
            ], hasDefault: false),
        options: [.output] + Option.client + [.json],
        discussion: [
            "import knows " + ForeignFormats.all.prefix(2).map { $0.title }.joined(separator: ", ") + ",",
            ForeignFormats.all.dropFirst(2).map { $0.title }.joined(separator: ", and ")
                + ". Several FILEs become one.",
            "Of YAML make JSON first, with either program of that name: yq -j . config.yaml > config.json",
        ],
        examples: [
            ("fixtures init onegini team.json", "users and clients of the token server to start with"),
            ("fixtures check team.json", "exit with 0 if there are no mistakes"),
            ("fixtures check --json team.json", "every mistake with its place, for programs"),
            ("fixtures import realm.json --output team.json", "what has no place in them is listed"),
        ],
        run: FixturesCommand.run)
}
