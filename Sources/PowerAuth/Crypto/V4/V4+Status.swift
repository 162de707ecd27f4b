import Crypto

extension V4 {
    /// What a device learns about its activation: 80 bytes, of which the last 32 authenticate the others.
    struct Status: Sendable, Equatable {
        struct Flags: OptionSet, Sendable, Hashable {
            let rawValue: UInt8
            /// The device has not confirmed the activation yet.
            static let confirmationPending = Flags(rawValue: 1)
            static let upgradePending = Flags(rawValue: 2)
            /// The server does not take the suite any more.
            static let suiteUnsupported = Flags(rawValue: 4)
            static let biometryEnabled = Flags(rawValue: 8)
        }

        var state: StatusBlob.State
        var flags: Flags
        var failedAttempts: Int
        var maxFailedAttempts: Int
        /// 1 to 64
        var lookAhead: Int
        /// Of the next code that is expected.
        var counter: Int
        var counterData: Counter

        /// - Parameter reserved: four bytes without a meaning.
        func bytes(_ keys: ActivationKeys, reserved: [UInt8] = [0, 0, 0, 0]) throws -> [UInt8] {
            guard reserved.count == 4 else {
                throw ProtocolFault.malformed(
                    part: "reserved bytes of the status", expected: "4 bytes", got: "\(reserved.count) bytes")
            }
            let head =
                Self.magic + [state.rawValue, 4, 4, flags.rawValue] + reserved + [
                    UInt8(truncatingIfNeeded: counter), UInt8(clamping: failedAttempts),
                    UInt8(clamping: maxFailedAttempts), UInt8(clamping: lookAhead),
                ]
            let told = try head + mac(counterData.data, keys.counterData(), for: .counterData)
            return try told + mac(told, keys.status(), for: .status)
        }

        private static let magic: [UInt8] = [0xDE, 0xC0, 0xDE, 0xD4]
    }
}
