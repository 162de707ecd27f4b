import Crypto
import DeviceKit

/// The 32 bytes in which the server tells the state of an activation.
struct StatusBlob: Equatable {
    static let magic: [UInt8] = [0xDE, 0xC0, 0xDE, 0xD1]

    let state: UInt8
    let currentVersion: UInt8
    let upgradeVersion: UInt8
    let counterByte: UInt8
    let failedAttempts: UInt8
    let maximumFailedAttempts: UInt8
    let lookAhead: UInt8
    /// 16 bytes, of the counter that the server expects next.
    let counterHash: [UInt8]

    /// - Parameters:
    ///   - challenge: nil in protocol 3.0, as is `nonce`.
    /// - Throws: ``DeviceError`` when the blob does not begin with its four fixed bytes: it is for another device, or for none.
    init(_ sealed: [UInt8], transportKey: [UInt8], challenge: [UInt8]?, nonce: [UInt8]?) throws {
        var iv = KeyArithmetic.zeros(16)
        if let challenge, let nonce { iv = try Self.iv(transportKey, challenge, nonce) }
        guard sealed.count == 32 else {
            throw DeviceError("the status blob has \(sealed.count) bytes instead of 32")
        }
        let bytes = try AES.decryptCBC(sealed, key: transportKey, iv: iv, padding: false)
        guard bytes.starts(with: Self.magic) else {
            throw DeviceError(
                "the status blob cannot be decrypted: it begins with \(Hex.encode(bytes.prefix(4)))")
        }
        state = bytes[4]
        currentVersion = bytes[5]
        upgradeVersion = bytes[6]
        counterByte = bytes[12]
        failedAttempts = bytes[13]
        maximumFailedAttempts = bytes[14]
        lookAhead = bytes[15]
        counterHash = Array(bytes[16...])
    }

    static func iv(_ transportKey: [UInt8], _ challenge: [UInt8], _ nonce: [UInt8]) throws -> [UInt8] {
        KeyArithmetic.deriveInternal(try KeyArithmetic.derive(transportKey, 3000), challenge + nonce)
    }

    /// The hash that stands in a blob for a counter.
    static func hash(of counter: HashCounter, transportKey: [UInt8]) throws -> [UInt8] {
        KeyArithmetic.deriveInternal(try KeyArithmetic.derive(transportKey, 4000), counter.data)
    }
}
