import Crypto
import Testing

@testable import MIRACL

struct CurveTests {
    @Test func `the curve has the published generator and order`() {
        let generator = G1Point(BN254CX.curve.multiple(BN254CX.scalars.one))
        let prime = "2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3"
        #expect(generator.hex == "04" + prime.dropLast() + "2" + String(repeating: "0", count: 63) + "1")
        #expect(BN254CX.field.element(Hex.decode(prime) ?? []) == nil)
        // The multiple by the order: one step further than the largest scalar.
        #expect((-Scalar(1) * generator + generator).isInfinity)
        #expect(!(-Scalar(1) * generator).isInfinity)
    }

    @Test func `points are added, negated and multiplied as in a group`() throws {
        let (point, other) = (someIdentity.point, someIdentity.permitPoint(day: 20_000))
        #expect(point + other == other + point)
        #expect(point + point == Scalar(2) * point)
        #expect(point - point == Scalar(0) * point)
        #expect((point - point).isInfinity && (point - point).bytes == [0])
        #expect(number("a") * (point + other) == number("a") * point + number("a") * other)
        #expect((number("a") * number("b")) * point == number("a") * (number("b") * point))
        #expect((number("a") + number("b")) * point == number("a") * point + number("b") * point)
    }

    @Test(arguments: 0..<32)
    func `a hash is mapped to the even one of two points`(_ index: Int) throws {
        let hash = Digest.sha256([UInt8(index)])
        let point = G1Point(mapping: hash)

        #expect(point.bytes[64] & 1 == 0)
        #expect(try G1Point(bytes: point.bytes) == point)
        #expect(try G1Point(hex: point.hex.uppercased()) == point)
        // The x coordinate is the hash modulo the prime, or a little more.
        let coordinates = try #require(point.value.coordinates)
        let start = BN254CX.field.element(reducing: hash)
        #expect((0..<64).contains { start + BN254CX.field.element($0) == coordinates.x })
    }

    @Test func `an identity with a key is another than the one without`() throws {
        let id = Array("id".utf8)
        let withKey = MPinIdentity(id, publicKey: .generator)
        #expect(withKey.hash == Digest.sha256(id + G2Point.generator.bytes))
        #expect(MPinIdentity(id).hash == Digest.sha256(id))
        #expect(withKey.point != MPinIdentity(id).point)
    }
}
