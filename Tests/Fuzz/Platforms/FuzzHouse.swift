import Embedded
import Essentials
import HTTP
import Hanko
import MIRACL
import NextAuth
import Onegini
import Phone
import PlatformKit
import PowerAuth
import SampleApp
import Synchronization

/// All platforms with the built-in cast, behind the dispatcher and without a socket. Each case has a world of its own.
struct FuzzHouse: Sendable {
    /// As `Platforms.all` of the program.
    static let platforms: [any Platform.Type] = [
        Hanko.self, MIRACL.self, NextAuth.self, Onegini.self, PowerAuth.self, SampleApp.self,
        Phones.self,
    ]

    let worlds: Worlds
    let dispatcher: Dispatcher
    private let reports = Reports()

    init() {
        do {
            let fixtures = try FixtureSet(text: Self.builtIn, file: "default.json")
            var settings = Worlds.Settings(builtInFixtures: fixtures)
            settings.seed = 1
            settings.realTime = { Date(timeIntervalSince1970: 1_767_225_600) }
            worlds = try Worlds(platforms: Self.platforms, fixtures: fixtures, settings: settings)
        } catch {
            preconditionFailure("the built-in fixtures do not load: \(error)")
        }
        var rules = Dispatcher.Settings()
        rules.report = { [reports] in reports.add($0) }
        dispatcher = Dispatcher(worlds: worlds, platforms: Self.platforms, settings: rules)
    }

    static let builtIn = EmbeddedFile.at("Fixtures/default.json")?.bytes ?? []

    /// What the program called a bug of its own since the last time.
    func takeReports() -> [String] { reports.take() }

    private final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }; return lines
            }
        }
    }
}
