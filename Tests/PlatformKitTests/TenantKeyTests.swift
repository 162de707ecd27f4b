import Essentials
import JOSE
import TestKit
import Testing

@testable import PlatformKit

/// Signing keys of a platform that has several tenants.
@Suite struct TenantKeyTests {
    private static let pem = TestKeys.ec.split(separator: "\n").joined(separator: "\",\"")
    private static let rsa = TestKeys.rsa.split(separator: "\n").joined(separator: "\",\"")

    private static func key(_ kid: String, _ more: String = "") -> String {
        #"{"kid": "\#(kid)", "alg": "ES256", "for": "acme", \#(more) "pem": ["\#(pem)"]}"#
    }

    private static func bench(_ keys: String...) throws -> TestBench<Acme> {
        try TestBench(Acme.self, fixtures: #"{"keys": [\#(keys.joined(separator: ","))]}"#)
    }

    @Test func `a tenant signs with its own key, and one without signs with the platform's`() throws {
        let bench = try Self.bench(Self.key("shared"), Self.key("blue-1", #""tenant": "blue","#))
        let keys = bench.world.services.keys

        #expect(try keys.signing("acme", tenant: "blue", .es256).kid == "blue-1")
        #expect(try keys.signing("acme", tenant: "red", .es256).kid == "shared")
        #expect(try keys.signing("acme", .es256).kid == "shared")
        #expect(try keys.published("acme", tenant: "blue").map(\.kid) == ["blue-1"])
        #expect(try keys.published("acme", tenant: "red").map(\.kid) == ["shared"])
        #expect(try keys.published("acme").map(\.kid) == ["shared"])
    }

    @Test func `of an algorithm that a tenant has none of, the platform's key is published`() throws {
        let bench = try Self.bench(
            #"{"kid": "rsa", "alg": "RS256", "for": "acme", "pem": ["\#(Self.rsa)"]}"#, Self.key("ec"),
            Self.key("blue-1", #""tenant": "blue","#))
        let keys = bench.world.services.keys

        #expect(try keys.published("acme", tenant: "blue").map(\.kid) == ["blue-1", "rsa"])
        #expect(try keys.signing("acme", tenant: "blue", .rs256).kid == "rsa")
    }

    @Test func `a tenant's keys rotate by themselves`() throws {
        let bench = try Self.bench(Self.key("shared"), Self.key("blue-1", #""tenant": "blue","#))
        let keys = bench.world.services.keys

        let rotation = try #require(try keys.rotate("acme", tenant: "blue", nil).first)

        #expect(rotation.previous == "blue-1")
        #expect(try keys.signing("acme", tenant: "blue", .es256).kid == rotation.current)
        #expect(try keys.signing("acme", .es256).kid == "shared")
        let missing = #expect(throws: KeyMissing.self) { try keys.rotate("acme", tenant: "red", "ES256") }
        #expect(
            missing?.explanation
                == "The fixtures bring no ES256 key for the tenant “red” of acme; add one to the section “keys”."
        )
    }

    @Test func `each tenant has a next key at most, and an export says whose keys they are`() throws {
        let bench = try Self.bench(
            Self.key("a", #""tenant": "blue", "state": "next","#), Self.key("b", #""state": "next","#))
        let export = try bench.worlds.export(bench.world)
        let told = try JSONValue(parsing: export)["keys"]?.array?.map { $0["tenant"]?.string }
        #expect(told == ["blue", nil])
        try bench.worlds.load(FixtureSet(text: export, file: "export"), into: bench.world)
        #expect(try bench.worlds.export(bench.world) == export)

        let twice = #expect(throws: FixtureError.self) {
            try Self.bench(
                Self.key("a", #""tenant": "blue", "state": "next","#),
                Self.key("b", #""tenant": "blue", "state": "next","#))
        }
        #expect(twice?.reason.hasPrefix("the tenant “blue” of acme has a next key for ES256 already") == true)
    }
}
