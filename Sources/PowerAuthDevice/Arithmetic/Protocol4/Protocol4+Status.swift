import Crypto
import DeviceKit

extension Protocol4 {
    /// The 80 bytes in which the server tells the state of an activation.
    struct Status: Equatable {
        let state: UInt8
        let currentVersion: UInt8
        let upgradeVersion: UInt8
        let flags: UInt8
        let counterByte: UInt8
        let failedAttempts: UInt8
        let maximumFailedAttempts: UInt8
        let lookAhead: UInt8
        /// 32 bytes, of the counter that the server expects next.
        let counterCode: [UInt8]

        /// - Parameter key: of the activation, for its status.
        /// - Throws: ``DeviceError`` when it is no status, or of another activation.
        init(_ bytes: [UInt8], key: [UInt8]) throws {
            guard bytes.count == 80, bytes.starts(with: [0xDE, 0xC0, 0xDE, 0xD4]) else {
                throw DeviceError(
                    "the status has \(bytes.count) bytes and begins with \(Hex.encode(bytes.prefix(4)))")
            }
            let expected = try code(key, Array(bytes[..<48]), "PA4MAC-STATUS")
            guard constantTimeEqual(expected, Array(bytes[48...])) else {
                throw DeviceError("the code of the status is wrong")
            }
            (state, currentVersion, upgradeVersion, flags) = (bytes[4], bytes[5], bytes[6], bytes[7])
            (counterByte, failedAttempts) = (bytes[12], bytes[13])
            (maximumFailedAttempts, lookAhead) = (bytes[14], bytes[15])
            counterCode = Array(bytes[16..<48])
        }

        /// What stands in a status for a counter.
        static func counterCode(_ counter: HashCounter, key: [UInt8]) throws -> [UInt8] {
            try code(key, counter.data, "PA4MAC-CTR")
        }
    }
}
