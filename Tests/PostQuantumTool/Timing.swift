import Crypto
import PostQuantum

/// What each operation takes, once everything is warm.
enum Timing {
    private static let count = 400

    static func run() throws {
        for set in MLKEM.allCases { try exchange(set) }
        for set in MLDSA.allCases { try signature(set) }
    }

    private static func exchange(_ set: MLKEM) throws {
        let pair = try MLKEM.DecapsulationKey(set, seed: bytes(64, 0))
        let told = try pair.encapsulationKey.encapsulate(message: bytes(32, 1))
        try tell("\(set.rawValue) key pair") { _ = try MLKEM.DecapsulationKey(set, seed: bytes(64, $0)) }
        try tell("\(set.rawValue) encapsulation") {
            _ = try pair.encapsulationKey.encapsulate(message: bytes(32, $0))
        }
        try tell("\(set.rawValue) decapsulation") { _ in _ = try pair.decapsulate(told.ciphertext) }
    }

    private static func signature(_ set: MLDSA) throws {
        let pair = try MLDSA.SigningKey(set, seed: bytes(32, 0))
        let signature = try pair.sign(bytes(64, 0))
        try tell("\(set.rawValue) key pair") { _ = try MLDSA.SigningKey(set, seed: bytes(32, $0)) }
        // Of different messages: how many attempts one takes is a matter of luck.
        try tell("\(set.rawValue) signature") { _ = try pair.sign(bytes(64, $0)) }
        try tell("\(set.rawValue) verification") { _ in
            guard pair.verificationKey.isValid(signature, for: bytes(64, 0)) else {
                throw Order.Unknown(description: "a signature that was refused")
            }
        }
    }

    private static func tell(_ name: String, _ body: (Int) throws -> Void) throws {
        let clock = ContinuousClock()
        for number in 0..<20 { try body(number) }
        let times = try (0..<count).map { number in try clock.measure { try body(number) } }.sorted()
        let nanoseconds = times[count / 2].components.attoseconds / 1_000_000_000
        print("\(name): \(Double(nanoseconds / 100) / 10)")
    }

    private static func bytes(_ count: Int, _ number: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 + 1) * 37 + number * 101 + number >> 8) }
    }
}
