import Essentials
import HTTP
import JOSE
import TestKit
import Testing

@testable import PlatformKit

@Suite struct KeyRotationTests {
    private static let rsa = TestKeys.rsa.split(separator: "\n").joined(separator: "\",\"")
    private static let ec = TestKeys.ec.split(separator: "\n").joined(separator: "\",\"")

    /// - Parameter states: of the ES256 keys `k0`, `k1`, …: the text of the member, or nothing.
    private static func bench(_ states: [String]) throws -> TestBench<Acme> {
        let keys = states.enumerated().map { index, state in
            #"{"kid": "k\#(index)", "alg": "ES256", "for": "acme", \#(state) "pem": ["\#(ec)"]}"#
        }
        return try TestBench(Acme.self, fixtures: #"{"keys": [\#(keys.joined(separator: ","))]}"#)
    }

    private static func published(_ bench: TestBench<Acme>) throws -> [String] {
        try bench.world.services.keys.published("acme").map(\.kid)
    }

    @Test func `a next key is published and does not sign`() throws {
        let bench = try Self.bench(["", "", #""state": "next","#])
        let keys = bench.world.services.keys

        #expect(try keys.signing("acme", .es256).kid == "k1")
        #expect(try Self.published(bench) == ["k1", "k0", "k2"])
    }

    // Token Server documentation: previous, current, next.
    @Test func `a rotation lets the next key sign, keeps the one before, and publishes another`() throws {
        let bench = try Self.bench(["", "", #""state": "next","#])
        let keys = bench.world.services.keys

        let rotations = try keys.rotate("acme", "ES256")

        #expect(rotations.count == 1)
        let rotation = try #require(rotations.first)
        #expect(rotation.algorithm == "ES256")
        #expect(rotation.previous == "k1")
        #expect(rotation.current == "k2")
        #expect(!["k0", "k1", "k2"].contains(rotation.next))
        #expect(try keys.signing("acme", .es256).kid == "k2")
        #expect(try Self.published(bench) == ["k2", "k1", rotation.next])

        let again = try #require(try keys.rotate("acme", nil).first)
        #expect(again.previous == "k2")
        #expect(again.current == rotation.next)
        #expect(try Self.published(bench) == [rotation.next, "k2", again.next])
    }

    @Test func `where no key waits, a new one signs at once`() throws {
        let bench = try Self.bench([""])
        let rotation = try #require(try bench.world.services.keys.rotate("acme", nil).first)

        #expect(rotation.previous == "k0")
        #expect(try bench.world.services.keys.signing("acme", .es256).kid == rotation.current)
        let made = try bench.world.services.keys.published("acme")
        let prints = try made.map { try $0.jwk.thumbprint() }
        #expect(Set(prints).count == 3)
    }

    @Test func `every algorithm rotates on its own, or all at once`() throws {
        let bench = try TestBench(Acme.self)
        let keys = bench.world.services.keys

        #expect(try keys.rotate("acme", "RS256").map(\.algorithm) == ["RS256"])
        #expect(try keys.signing("acme", .es256).kid == TestKeys.ecID)
        #expect(try keys.rotate("acme", nil).map(\.algorithm) == ["ES256", "RS256"])
        let signed = try JWS.sign(
            [1], header: JWSHeader(.rs256), key: .privateKey(keys.signing("acme", .rs256).privateKey))
        #expect(try JWS.verify(signed, keys: keys.published("acme").map(\.jwk)).payload == [1])
    }

    @Test func `what was derived from the keys is derived anew`() throws {
        let bench = try Self.bench([""])
        let services = bench.world.services
        #expect(try services.memo.value("acme.kid") { try services.keys.signing("acme", .es256).kid } == "k0")

        let rotation = try #require(try services.keys.rotate("acme", nil).first)

        #expect(
            try services.memo.value("acme.kid") { try services.keys.signing("acme", .es256).kid }
                == rotation.current)
    }

    @Test func `a platform or an algorithm without keys is refused`() throws {
        let bench = try Self.bench([""])
        #expect(throws: KeyMissing.self) { try bench.world.services.keys.rotate("nobody", nil) }
        #expect(throws: KeyMissing.self) { try bench.world.services.keys.rotate("acme", "RS256") }
    }

    @Test func `an export has the next key too, and loads again`() throws {
        let bench = try Self.bench([""])
        let rotation = try #require(try bench.world.services.keys.rotate("acme", nil).first)
        let export = try bench.worlds.export(bench.world)

        try bench.worlds.load(FixtureSet(text: export, file: "export"), into: bench.world)

        #expect(try bench.worlds.export(bench.world) == export)
        #expect(try Self.published(bench) == [rotation.current, "k0", rotation.next])
    }

    @Test func `two next keys of one algorithm are a fault of the fixtures`() throws {
        let error = #expect(throws: FixtureError.self) {
            try Self.bench(["", #""state": "next","#, #""state": "next","#])
        }
        #expect(error?.field == "keys[2].state")
        let unknown = #expect(throws: FixtureError.self) { try Self.bench([#""state": "later","#]) }
        #expect(unknown?.reason == "expected one of next, found “later”")
    }
}
