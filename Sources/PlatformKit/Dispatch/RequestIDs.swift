import Synchronization

/// Makes the ids that name requests in the journal and in `X-Request-Id`: never the same twice in a run of the program, and
/// cheap, because every request has one. Texts of up to 15 bytes need no storage of their own in Swift.
final class RequestIDs: Sendable {
    private let next: Atomic<UInt64>

    init() {
        let start = Entropy.system.bytes(8, "kit.request").reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        next = Atomic(start)
    }

    /// So many lower-case hex digits.
    private static let length = 15
    private static let mask: UInt64 = 1 << (4 * length) - 1

    /// 15 lower-case hex digits.
    func make() -> String {
        var value = Self.mixed(next.wrappingAdd(1, ordering: .relaxed).newValue)
        return String(unsafeUninitializedCapacity: Self.length) { digits in
            var index = Self.length
            while index > 0 {
                index -= 1
                let digit = UInt8(truncatingIfNeeded: value & 15)
                digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                value >>= 4
            }
            return Self.length
        }
    }

    /// The finishing steps of SplitMix64, in as many bits as the digits have: no two numbers of these have the same result, and
    /// neighbours look unlike.
    private static func mixed(_ next: UInt64) -> UInt64 {
        let number = next & mask
        let first = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9 & mask
        let second = (first ^ first >> 27) &* 0x94D0_49BB_1331_11EB & mask
        return second ^ second >> 31
    }
}
