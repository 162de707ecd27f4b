import Crypto
import Testing

@testable import MIRACL

struct ScalarTests {
    static let one = [UInt8](repeating: 0, count: 31) + [1]
    /// The order less one.
    static let largest = BN254CX.order.dropLast() + [0x6c]

    @Test func `scalars go from one to below the order`() throws {
        #expect(try Scalar(bytes: Self.one) == Scalar(1))
        let largest = try Scalar(bytes: Array(Self.largest))
        #expect(largest == -Scalar(1))
        #expect(largest.bytes == Array(Self.largest))
        #expect(throws: MPinError.scalarTooLarge) { try Scalar(bytes: BN254CX.order) }
        #expect(throws: MPinError.scalarTooLarge) { try Scalar(bytes: [UInt8](repeating: 255, count: 32)) }
        #expect(throws: MPinError.scalarZero) { try Scalar(bytes: [UInt8](repeating: 0, count: 32)) }
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func `a scalar has 32 bytes`(_ count: Int) {
        #expect(throws: MPinError.scalarLength(count)) {
            try Scalar(bytes: [UInt8](repeating: 1, count: count))
        }
    }

    @Test func `master shares that cancel are refused`() throws {
        let (first, second) = try (Scalar(bytes: Self.one), Scalar(bytes: Array(Self.largest)))
        #expect(throws: MPinError.mastersCancel) { try MasterSecret(first: first, second: second) }
        #expect(try MasterSecret(first: second, second: second).sum == -Scalar(2))
    }

    @Test func `what is drawn outside of the range is drawn again`() throws {
        let draws: [[UInt8]] = [
            [UInt8](repeating: 0, count: 32), [0xc0] + [UInt8](repeating: 0, count: 31), BN254CX.order,
            [0xff] + [UInt8](repeating: 255, count: 31), [0xe3] + [UInt8](repeating: 7, count: 31),
        ]
        var next = draws.makeIterator()
        let drawn = try Scalar.drawn { count in
            #expect(count == 32)
            return next.next() ?? []
        }
        #expect(drawn.bytes == [0x23] + [UInt8](repeating: 7, count: 31))
        #expect(next.next() == nil)
    }

    @Test(arguments: [0, 255] as [UInt8])
    func `chance that is none is given up on`(_ byte: UInt8) {
        #expect(throws: MPinError.noNumberDrawn) {
            try Scalar.drawn { [UInt8](repeating: byte, count: $0) }
        }
    }

    @Test func `explanations say what came`() {
        #expect(MPinError.pointLength(64).explanation.contains("got 64 bytes"))
        #expect(MPinError.pointPrefix(2).explanation.contains("got 2."))
        #expect(MPinError.publicKeyLength(129).explanation.contains("got 129 bytes"))
        #expect(MPinError.scalarLength(31).explanation.contains("got 31 bytes"))
        #expect(MPinError.notHexadecimal(3).explanation.contains("got 3 characters"))
    }
}
