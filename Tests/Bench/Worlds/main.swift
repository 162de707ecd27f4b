// What worlds cost without HTTP: `WorldsBench default.json` prints one JSON object of figures,
// medians in microseconds.
import Essentials
import PlatformKit
import Platforms
import SQLite

struct NoWorld: Error {}

/// The times of one thing that is done again and again.
struct Stopwatch {
    private(set) var figures: [String: Double] = [:]

    mutating func time(_ name: String, _ rounds: Int, _ body: (Int) throws -> Void) rethrows {
        let clock = ContinuousClock()
        var times: [Double] = []
        for round in 0..<rounds {
            let start = clock.now
            try body(round)
            times.append(start.duration(to: clock.now) / .microseconds(1))
        }
        figures[name] = times.sorted()[rounds / 2]
    }
}

func makeWorlds(_ path: String) throws -> Worlds {
    let fixtures = try FixtureSet(text: [UInt8](try Data(contentsOf: URL(filePath: path))), file: path)
    var settings = Worlds.Settings(builtInFixtures: fixtures)
    settings.worldLimit = 100_000
    return try Worlds(sections: Platforms.sections, fixtures: fixtures, settings: settings)
}

func measure(_ worlds: Worlds, rounds: Int) throws -> [String: Double] {
    func world(_ name: String) throws -> World {
        guard let world = try worlds.world(name) else { throw NoWorld() }
        return world
    }
    func query(_ name: String) throws {
        _ = try world(name).database.read { try $0.value(Int.self, "SELECT count(*) FROM hanko_user") }
    }
    func write(_ name: String) throws {
        try world(name).clock.advance(seconds: 1)
    }
    var watch = Stopwatch()
    var names: [String] = []
    try query(Worlds.defaultName)
    try watch.time("create", rounds) { _ in
        let name = try worlds.create(WorldOrder())
        _ = try world(name)
        names.append(name)
    }
    try watch.time("first_query", rounds) { try query(names[$0]) }
    try watch.time("second_query", rounds) { try query(names[$0]) }
    try watch.time("reset", rounds) { try worlds.reset(names[$0]) }
    let image = try world(names[0]).database.image()
    try watch.time("image", rounds) { try world(names[$0]).database.restore(image) }
    // Each with a row of its own, as a world that is used has.
    for name in names { try write(name) }
    try watch.time("snapshot", rounds) { _ = try worlds.takeSnapshot("s", of: names[$0]) }
    for name in names { try write(name) }
    try watch.time("restore", rounds) { try worlds.restore("s", in: names[$0], keepsClock: false) }
    return watch.figures
}

let figures = try measure(makeWorlds(CommandLine.arguments[1]), rounds: 5_000)
print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
