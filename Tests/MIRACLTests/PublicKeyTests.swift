import Crypto
import Testing

@testable import MIRACL

struct PublicKeyTests {
    static let good = G2Point.generator.bytes

    @Test func `the generator is a good key, and its multiples are`() throws {
        #expect(try G2Point(bytes: Self.good) == .generator)
        let multiple = number("key") * G2Point.generator
        let key = try #require(multiple)
        #expect(try G2Point(bytes: key.bytes) == key)
        #expect(key != .generator)
        #expect(Scalar(1) * G2Point.generator == .generator)
        #expect(Scalar(0) * G2Point.generator == nil)
        let (product, direct) = (number("a") * key, (number("a") * number("key")) * G2Point.generator)
        #expect(product == direct && direct != nil)
    }

    @Test(arguments: [0, 1, 64, 127, 129, 256])
    func `a key has 128 bytes`(_ count: Int) {
        let bytes = Array((Self.good + Self.good).prefix(count))
        #expect(throws: MPinError.publicKeyLength(count)) { try G2Point(bytes: bytes) }
    }

    @Test(arguments: 0..<4)
    func `every coordinate is below the prime`(_ index: Int) {
        var bytes = Self.good
        bytes.replaceSubrange(index * 32..<index * 32 + 32, with: PointRefusalTests.prime)
        #expect(throws: MPinError.coordinateTooLarge) { try G2Point(bytes: bytes) }
    }

    @Test(arguments: [31, 63, 95, 127])
    func `a key with one bit changed is off the twist`(_ index: Int) {
        var bytes = Self.good
        bytes[index] ^= 1
        #expect(throws: MPinError.publicKeyOffCurve) { try G2Point(bytes: bytes) }
    }

    @Test func `neither zeros nor swapped parts are a key`() {
        #expect(throws: MPinError.infinity) {
            try G2Point(bytes: [UInt8](repeating: 0, count: 128))
        }
        let good = Self.good
        let swapped = good[32..<64] + good[0..<32] + good[96..<128] + good[64..<96]
        #expect(throws: MPinError.publicKeyOffCurve) { try G2Point(bytes: Array(swapped)) }
    }

    /// The point of the twist with the smallest whole x, found with Python's integers.
    @Test func `a point of the twist outside the subgroup is no key`() {
        #expect(throws: MPinError.publicKeyOutsideGroup) {
            let zeros = String(repeating: "0", count: 63)
            return try G2Point(
                hex: zeros + "2" + zeros + "0"
                    + "087d929d57fd4ee8328ac2bb53d9f1d2a7d2d650c3b6c6148ea919ca498e481e"
                    + "08a0cbd07f993a3ee0f34a8d1702da6afa2c067ee943dee1f296bbab904043da")
        }
    }
}
