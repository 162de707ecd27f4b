import Synchronization

/// Makes the ids that name requests in the journal and in `X-Request-Id`: never the same twice in a run of the program, and
/// cheap, because every request has one.
final class RequestIDs: Sendable {
    private let next: Atomic<UInt64>

    init() {
        let start = Entropy.system.bytes(8, "kit.request").reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        next = Atomic(start)
    }

    /// 16 lower-case hex digits.
    func make() -> String {
        var value = Self.mixed(next.wrappingAdd(1, ordering: .relaxed).newValue)
        return String(unsafeUninitializedCapacity: 16) { digits in
            var index = 16
            while index > 0 {
                index -= 1
                let digit = UInt8(truncatingIfNeeded: value & 15)
                digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                value >>= 4
            }
            return 16
        }
    }

    /// The finishing steps of SplitMix64: no two numbers have the same result, and neighbours look unlike.
    private static func mixed(_ number: UInt64) -> UInt64 {
        let first = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ first >> 27) &* 0x94D0_49BB_1331_11EB
        return second ^ second >> 31
    }
}
