import Console
import Embedded

/// `helper LANGUAGE`: a file for tests that talks to this version.
enum HelperCommand {
    static var languages: [String] { Handouts.helpers.words }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        try print(.helpers, of: "helper", invocation, terminal)
    }

    /// Prints the one of `handouts` that the operand of `command` names.
    static func print(
        _ handouts: Handouts, of command: String, _ invocation: Invocation, _ terminal: Terminal
    ) throws -> Int32 {
        let word = invocation.operands.first ?? ""
        guard let file = handouts.file(word) else {
            throw UsageError("\(command) has \(handouts.words.joined(separator: ", ")), not “\(word)”")
        }
        let embedded = WebFiles { EmbeddedFile.at("Web/" + $0)?.bytes }
        guard let text = handouts.text(of: file, version: Version.number, in: embedded) else {
            throw Failure("this program was built without \(file)")
        }
        terminal.write(text)
        return 0
    }
}

extension Commands {
    static let helper = Command(
        name: "helper", summary: "print a file for tests in your language",
        operands: .one("LANGUAGE"),
        discussion: [
            "LANGUAGE is python (with pytest fixtures), javascript (Node, with a fixture for Playwright), typescript (its types),",
            "swift (XCTest and Swift Testing), kotlin (with a JUnit 5 extension), kotlin-junit4 (the same with a JUnit 4 rule, as Android's",
            "instrumented tests have it), java (with a JUnit 5 extension) or dart (Flutter's integration_test). It covers worlds, codes, mails,",
            "clock, phones, passkeys, transactions, records, tokens, faults, snapshots, flows and the reasons of refusals, in one file without",
            "dependencies, which starts understudy or finds it by UNDERSTUDY_URL. swift-passkeys is a stand-in for the passkeys of",
            "AuthenticationServices, for debug builds of an app. A server also has them at /_understudy/v1/helpers/LANGUAGE.",
        ],
        examples: [
            ("helper python > tests/understudy.py", "and pytest_plugins = [\"understudy\"] in conftest.py"),
            ("helper javascript > tests/understudy.mjs", "for node --test, Playwright and others"),
            ("helper typescript > tests/understudy.d.mts", "its types, next to it"),
            (
                "helper swift > Tests/AppTests/Understudy.swift",
                "a world for each test of WorldTestCase or @Test(.world)"
            ),
            ("helper kotlin > app/src/test/kotlin/understudy/Understudy.kt", "@ExtendWith(Worlds::class)"),
            (
                "helper kotlin-junit4 > app/src/androidTest/kotlin/understudy/Understudy.kt",
                "@get:Rule val understudy = WorldRule()"
            ),
            (
                "helper java > src/test/java/understudy/Understudy.java",
                "@ExtendWith(Understudy.Worlds.class)"
            ),
            ("helper dart > integration_test/understudy.dart", "a world for each test of inWorld"),
        ],
        run: HelperCommand.run)

    static let stub = Command(
        name: "stub", summary: "print a stub for an SDK with a closed protocol",
        operands: .one("FILE"),
        discussion: [
            "FILE is one of \(Handouts.stubs.words.compactMap(Handouts.stubs.file).joined(separator: ", ")): it has the names of the vendor's",
            "public documentation and speaks our open device protocol, so that an app that is built on it, in the place of the vendor's SDK, runs",
            "against understudy. The page /docs/stubs of a running program, or Web/docs/stubs.md, shows how to put it into a project with Gradle,",
            "Xcode or SwiftPM for debug builds alone, how to go back to the vendor's SDK, and what is not there. A server also has the files at",
            "/_understudy/v1/stubs/FILE.",
        ],
        examples: [
            ("stub NextAuth.kt > app/src/stub/kotlin/NextAuth.kt", "instead of the vendor's library"),
            (
                "stub OneginiSDK-android.tar | tar x -C app/src/stub/kotlin",
                "the same in the vendor's packages"
            ),
            ("stub NextAuth.swift > Stubs/Sources/NextAuth/NextAuth.swift", "a module of the vendor's name"),
        ]
    ) { invocation, terminal in
        try HelperCommand.print(.stubs, of: "stub", invocation, terminal)
    }
}
