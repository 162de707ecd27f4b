package import Crypto
import DeviceKit
import PostQuantum

/// What an app is built with: its key and its secret, and the public keys of the application.
package struct MobileConfiguration: Sendable, Equatable {
    /// Base64 of 16 bytes; used as text.
    package let applicationKey: String
    /// Base64 of 16 bytes; used as text, and decoded for temporary keys.
    package let applicationSecret: String
    /// Of protocol 3.x.
    package let masterKey: PublicKey
    /// Those of protocol 4.0 by their numbers: 2 a point of P-384, 3 and 4 of ML-DSA-65 and ML-DSA-87.
    private let furtherKeys: [UInt8: [UInt8]]

    package init(
        applicationKey: String, applicationSecret: String, masterKey: PublicKey,
        furtherKeys: [UInt8: [UInt8]] = [:]
    ) {
        self.applicationKey = applicationKey
        self.applicationSecret = applicationSecret
        self.masterKey = masterKey
        self.furtherKeys = furtherKeys
    }

    /// Reads the configuration text of SDK 1.8 and later.
    ///
    /// - Throws: ``DeviceError`` when it is no such text, or has no key of number 1 (P-256).
    package init(parsing text: String) throws {
        var reader = ConfigurationReader(try Wire.bytes(text, "mobileSdkConfig"))
        guard try reader.byte() == 1 else { throw DeviceError("the configuration is of an unknown format") }
        applicationKey = Base64.encode(try reader.field(count: 16))
        applicationSecret = Base64.encode(try reader.field(count: 16))
        var keys: [UInt8: [UInt8]] = [:]
        for _ in 0..<(try reader.count()) { keys[try reader.byte()] = try reader.field() }
        guard reader.isAtEnd else { throw DeviceError("something follows the configuration") }
        guard let point = keys.removeValue(forKey: 1) else {
            throw DeviceError("the configuration has no P-256 key")
        }
        masterKey = try PublicKey(x962: point)
        furtherKeys = keys
    }

    /// The points by which the application signs.
    var masterPoints: [PublicKey] {
        // A key that is none signs nothing.
        [masterKey] + (furtherKeys[2].flatMap { try? PublicKey(.p384, x962: $0) }.map { [$0] } ?? [])
    }

    /// Those by which the application signs in a suite of protocol 4.0.
    ///
    /// - Throws: ``DeviceError`` when the suite needs one that is not there.
    func masterKeys(of algorithm: Protocol4.Algorithm) throws -> (
        point: PublicKey, second: MLDSA.VerificationKey?
    ) {
        guard let point = furtherKeys[2] else {
            throw DeviceError("the configuration has no P-384 key: it is one for SDK 1.x")
        }
        return try Protocol4.keys(point, algorithm.masterKeyNumber.flatMap { furtherKeys[$0] }, algorithm)
    }

    /// The 16 bytes of the secret.
    func secretBytes() throws -> [UInt8] { try Wire.bytes(applicationSecret, "appSecret", count: 16) }
}

/// The bytes of a configuration text, one field after the other.
private struct ConfigurationReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw DeviceError("the configuration ends early") }
        return byte
    }

    /// One byte, or two that begin with the bits 10, or four that begin with 11.
    mutating func count() throws -> Int {
        let first = try byte()
        let more = first & 0x80 == 0 ? 0 : first & 0x40 == 0 ? 1 : 3
        var count = Int(more == 0 ? first : first & 0x3F)
        for _ in 0..<more { count = count << 8 | Int(try byte()) }
        return count
    }

    mutating func field(count expected: Int? = nil) throws -> [UInt8] {
        let size = try count()
        guard size <= rest.count else { throw DeviceError("the configuration ends early") }
        guard expected == nil || size == expected else {
            throw DeviceError("a field of the configuration has \(size) bytes instead of \(expected ?? 0)")
        }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }
}
