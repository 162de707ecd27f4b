import Essentials
import PlatformKit
import Platforms

/// Fixture files: what is taken is exported, the export is taken again, and has the same export. And in the world that has it in the place of
/// a section of the built-in cast, everybody does what people do there (``FixtureDrive``).
struct FixturesSubject: Subject {
    static let name = "fixtures"

    let house = FuzzHouse(isOpen: true)
    private let samples: [BodySample]
    private let sections: [(name: String, value: JSONTree)]
    private let mutator: JSONTreeMutator

    init() {
        sections = Self.sections(of: house)
        samples = BodySample.recorded()
        mutator = JSONTreeMutator(pool: sections.flatMap { $0.value.descendants }.filter { $0.count < 20 })
    }

    /// Of the built-in world, as an export has them: every member there, no comments.
    private static func sections(of house: FuzzHouse) -> [(name: String, value: JSONTree)] {
        do {
            guard let world = try house.worlds.world(Worlds.defaultName) else { return [] }
            let whole = try JSONValue(parsing: house.worlds.export(world))
            return (whole.object ?? [:]).sorted { $0.key < $1.key }
                .filter { !["keys", "$schema"].contains($0.key) }.map { ($0.key, JSONTree($0.value)) }
        } catch {
            preconditionFailure("the built-in world has no export: \(error)")
        }
    }

    var corpus: [[UInt8]] {
        let commented =
            "// A comment.\n{ \"people\": [ { \"id\": \"a\", \"name\": \"A\", \"email\": \"a@x\", \"story\": \"s\", }, ], /* */ }"
        return [Array(commented.utf8)]
            + sections.map { Array(JSONTree.object([$0]).text.utf8) }.filter { $0.count < 8000 }
    }

    let dictionary: [[UInt8]] = ["{", "}", "[", "]", ",", ":", "null", "\"id\"", "//", "/*"].map {
        Array($0.utf8)
    }

    /// One section, or two that may speak of each other, with some values changed.
    func input(_ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] {
        if random.below(16) == 0 { return mutator.input(&random) }
        var members = [random.pick(sections)]
        if random.below(3) == 0 { members.append(random.pick(sections)) }
        for index in members.indices {
            for _ in 0...random.below(3) { self.mutator.mutate(&members[index].value, &random) }
        }
        return Array(JSONTree.object(members.map { ($0.name, $0.value) }).text.utf8)
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let first: [UInt8]
        do {
            first = try export(of: input)
        } catch is FixtureError {
            return
        } catch {
            throw Violation("refused with no place in the file: \(error)")
        }
        let second: [UInt8]
        do {
            second = try export(of: first)
        } catch {
            throw Violation("the export does not load: \(error)")
        }
        guard first == second else {
            throw Violation("the export of the export is another: \(Self.difference(first, second))")
        }
        try drive(input, &random)
    }

    /// Lives with the input in the place of sections of the built-in cast.
    private func drive(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        // What has comments or a member twice is another's subject.
        guard let members = try? JSONValue(parsing: input).object, !members.isEmpty else { return }
        let others = sections.filter { members[$0.name] == nil }.map { ($0.name, $0.value) }
        let changed = members.map { ($0.key, JSONTree($0.value)) }
        var order = WorldOrder()
        let name: String
        do {
            order.fixtures = try FixtureSet(
                text: Array(JSONTree.object(others + changed).text.utf8), file: "case")
            name = try house.worlds.create(order)
        } catch is FixtureError {
            return
        } catch {
            throw Violation("refused with no place in the file: \(error)")
        }
        defer { do { try house.worlds.delete(name) } catch { preconditionFailure("\(error)") } }
        let opened: World?
        do { opened = try house.worlds.world(name) } catch {
            throw Violation("the world does not open: \(error)")
        }
        guard let world = opened else { throw Violation("the world is not there") }
        let platforms = Platforms.all.filter { members.keys.contains($0.name) }
        let mounts = Set(platforms.flatMap { $0.mountPaths })
        try FixtureDrive(
            house: house, world: world, place: "/w/" + name,
            samples: samples.filter { mounts.contains($0.mount) }
        ).run(Set(members.keys), &random)
    }

    /// Of a world that began with these fixtures.
    private func export(of fixtures: [UInt8]) throws -> [UInt8] {
        var order = WorldOrder()
        order.fixtures = try FixtureSet(text: fixtures, file: "case")
        let name = try house.worlds.create(order)
        defer { do { try house.worlds.delete(name) } catch { preconditionFailure("\(error)") } }
        guard let world = try house.worlds.world(name) else { throw Violation("the world is not there") }
        return try house.worlds.export(world)
    }

    private static func difference(_ first: [UInt8], _ second: [UInt8]) -> String {
        let place = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
        let window = { (bytes: [UInt8]) in
            String(decoding: bytes.dropFirst(max(0, place - 60)).prefix(160), as: UTF8.self)
        }
        return "“\(window(first))” and “\(window(second))”"
    }
}
