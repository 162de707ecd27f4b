import Crypto
import Testing

@testable import MIRACL

struct PointRefusalTests {
    static let prime = BN254CX.constant("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3")
    static let good = someIdentity.point.bytes

    @Test(arguments: [0, 1, 33, 64, 66, 130])
    func `a point has 65 bytes`(_ count: Int) {
        let bytes = Array((Self.good + Self.good).prefix(count))
        #expect(throws: MPinError.pointLength(count)) { try G1Point(bytes: bytes) }
    }

    @Test func `the point at infinity is none`() {
        #expect(throws: MPinError.infinity) { try G1Point(bytes: [0]) }
        let zeros = [UInt8](repeating: 0, count: 64)
        #expect(throws: MPinError.infinity) { try G1Point(bytes: [4] + zeros) }
        #expect(throws: MPinError.infinity) { try G2Point(bytes: zeros + zeros) }
        #expect(MPinError.infinity.explanation.contains("point at infinity"))
        #expect(throws: MPinError.pointPrefix(0)) { try G1Point(bytes: [0] + zeros) }
    }

    @Test(arguments: [0, 2, 3, 5, 6, 7, 255] as [UInt8])
    func `a point begins with 4`(_ prefix: UInt8) {
        #expect(throws: MPinError.pointPrefix(prefix)) {
            try G1Point(bytes: [prefix] + Self.good.dropFirst())
        }
    }

    @Test func `coordinates are below the prime`() throws {
        let (x, y) = (Array(Self.good[1..<33]), Array(Self.good[33...]))
        #expect(throws: MPinError.coordinateTooLarge) { try G1Point(bytes: [4] + Self.prime + y) }
        #expect(throws: MPinError.coordinateTooLarge) { try G1Point(bytes: [4] + x + Self.prime) }
        let most = [UInt8](repeating: 255, count: 32)
        #expect(throws: MPinError.coordinateTooLarge) { try G1Point(bytes: [4] + most + y) }
        // The generator's x coordinate plus the prime: the same point to who forgets to look.
        let one = [UInt8](repeating: 0, count: 31) + [1]
        var sum = Self.prime
        sum[31] += 1
        #expect(throws: MPinError.coordinateTooLarge) { try G1Point(bytes: [4] + sum + one) }
    }

    @Test(arguments: 1..<65)
    func `a point with one bit changed is off the curve`(_ index: Int) {
        var bytes = Self.good
        bytes[index] ^= 1
        #expect(throws: MPinError.pointOffCurve) { try G1Point(bytes: bytes) }
    }

    @Test(arguments: ["0", "0g", "04 ", "zz", "é"])
    func `text is pairs of hexadecimal digits`(_ text: String) {
        #expect(throws: MPinError.notHexadecimal(text.count)) { try G1Point(hex: text) }
        #expect(throws: MPinError.notHexadecimal(text.count)) { try G2Point(hex: text) }
        #expect(throws: MPinError.notHexadecimal(text.count)) { try Scalar(hex: text) }
    }

    @Test func `no text is no point, no key and no scalar`() {
        #expect(throws: MPinError.pointLength(0)) { try G1Point(hex: "") }
        #expect(throws: MPinError.publicKeyLength(0)) { try G2Point(hex: "") }
        #expect(throws: MPinError.scalarLength(0)) { try Scalar(hex: "") }
    }
}
