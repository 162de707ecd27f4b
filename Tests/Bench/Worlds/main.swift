// What worlds cost without HTTP: `WorldsBench default.json` prints one JSON object of figures,
// medians in microseconds.
import Essentials
import Hanko
import MIRACL
import NextAuth
import Onegini
import PlatformKit
import PowerAuth
import SQLite
import SampleApp

let clock = ContinuousClock()
var figures: [String: Double] = [:]

func time(_ name: String, _ rounds: Int, _ body: (Int) throws -> Void) rethrows {
    var times: [Double] = []
    for round in 0..<rounds {
        let start = clock.now
        try body(round)
        times.append(start.duration(to: clock.now) / .microseconds(1))
    }
    figures[name] = times.sorted()[rounds / 2]
}

struct NoWorld: Error {}

let text = [UInt8](try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
let fixtures = try FixtureSet(text: text, file: CommandLine.arguments[1])
var settings = Worlds.Settings(builtInFixtures: fixtures)
settings.worldLimit = 100_000
let worlds = try Worlds(
    platforms: [Hanko.self, Onegini.self, PowerAuth.self, SampleApp.self, MIRACL.self, NextAuth.self],
    fixtures: fixtures, settings: settings)

func world(_ name: String) throws -> World {
    guard let world = try worlds.world(name) else { throw NoWorld() }
    return world
}

func query(_ world: World) throws {
    _ = try world.database.read { try $0.value(Int.self, "SELECT count(*) FROM hanko_user") }
}

let rounds = 5_000
var names: [String] = []
try query(world(Worlds.defaultName))
try time("create", rounds) { _ in
    let name = try worlds.create(WorldOrder())
    _ = try world(name)
    names.append(name)
}
try time("first_query", rounds) { try query(world(names[$0])) }
try time("second_query", rounds) { _ = try query(world(names[$0])) }
try time("reset", rounds) { try worlds.reset(names[$0]) }
let image = try world(names[0]).database.image()
try time("restore", rounds) { try world(names[$0]).database.restore(image) }
for name in names { try worlds.delete(name) }

print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
