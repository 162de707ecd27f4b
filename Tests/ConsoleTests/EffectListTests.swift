import Essentials
import PlatformKit
import Testing

@testable import Console

/// What a fault can do is listed in places that no compiler holds together: each has every effect of ``FaultEffects/all``, and no other.
@Suite struct EffectListTests {
    private static let keys = FaultEffects.all.map { $0.key }.sorted()

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: ConsoleBench.package.appending(path: path)), as: UTF8.self)
    }

    private static func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(try text(path).utf8))
    }

    @Test func `the schema of fixtures has every effect`() throws {
        let rule = try Self.json("Fixtures/schema.json")["$defs"]?["fault"]
        let effects = try #require(rule?["properties"]?["effect"]?["properties"]?.object)
        #expect(effects.keys.sorted() == Self.keys)
    }

    @Test func `the description of the control API has every effect`() throws {
        let schemas = try Self.json("Web/openapi.json")["components"]?["schemas"]
        let effects = try #require(schemas?["FaultEffect"]?["properties"]?.object)
        #expect(effects.keys.sorted() == Self.keys)
    }

    @Test func `the helper for TypeScript has every effect`() throws {
        let types = try Self.text("Web/helpers/understudy.d.mts")
        let effect = try #require(types.firstMatch(of: /interface FaultEffect \{\n((?s:.*?))\n\}/)).output.1
        #expect(effect.matches(of: /(?m)^\s+(\w+)\?:\s/).map { String($0.output.1) }.sorted() == Self.keys)
    }

    @Test func `the page about faults has a row for every effect`() throws {
        let page = try Self.text("Web/docs/faults.md")
        let table = try #require(page.firstMatch(of: /\n\| `effect` in JSON \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/))
        let names = table.output.1.split(separator: "\n").flatMap { row in
            row.split(separator: "|")[0].matches(of: /`\{"(\w+)"/).map { String($0.output.1) }
        }
        #expect(names.sorted() == Self.keys)
    }
}
