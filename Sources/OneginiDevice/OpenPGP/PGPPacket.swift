import Crypto
import DeviceKit
import Essentials

/// A packet of OpenPGP. Source: RFC 4880 §4.2.
struct PGPPacket: Equatable {
    enum Tag {
        static let encryptedSessionKey: UInt8 = 1
        static let signature: UInt8 = 2
        static let onePassSignature: UInt8 = 4
        static let publicKey: UInt8 = 6
        static let literal: UInt8 = 11
        static let userID: UInt8 = 13
        static let publicSubkey: UInt8 = 14
        static let protected: UInt8 = 18
    }

    let tag: UInt8
    let body: [UInt8]

    /// With a head of the new format.
    var bytes: [UInt8] {
        let count = body.count
        let length: [UInt8] =
            switch count {
            case ..<192: [UInt8(count)]
            case ..<8384: [UInt8((count - 192) >> 8) + 192, UInt8(truncatingIfNeeded: count - 192)]
            default: [255] + PGPNumber.bigEndian(count, 4)
            }
        return [0xC0 | tag] + length + body
    }

    static func all(in bytes: [UInt8]) throws -> [PGPPacket] {
        var (reader, packets) = (PGPReader(bytes), [PGPPacket]())
        while !reader.isAtEnd { packets.append(try PGPPacket(&reader)) }
        return packets
    }

    private init(_ reader: inout PGPReader) throws {
        let head = try reader.byte()
        guard head & 0x80 != 0 else { throw DeviceError("what should be OpenPGP is none") }
        if head & 0x40 != 0 {
            tag = head & 0x3F
            body = try reader.bytes(Self.newLength(&reader))
        } else {
            tag = head >> 2 & 0x0F
            guard head & 3 != 3 else { throw DeviceError("a packet of unknown length") }
            body = try reader.bytes(reader.integer(1 << Int(head & 3)))
        }
    }

    init(tag: UInt8, body: [UInt8]) { (self.tag, self.body) = (tag, body) }

    private static func newLength(_ reader: inout PGPReader) throws -> Int {
        let first = try Int(reader.byte())
        switch first {
        case ..<192: return first
        case ..<224: return try (first - 192) << 8 + Int(reader.byte()) + 192
        case 255: return try reader.integer(4)
        default: throw DeviceError("a packet in parts, as no server sends")
        }
    }
}

/// The bytes of packets, one field after the other.
struct PGPReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws -> UInt8 { try bytes(1)[0] }

    mutating func bytes(_ count: Int) throws -> [UInt8] {
        guard count <= rest.count else { throw DeviceError("OpenPGP ends early") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func integer(_ count: Int) throws -> Int { try bytes(count).reduce(0) { $0 << 8 | Int($1) } }

    /// A multiprecision integer behind its count of bits. Source: RFC 4880 §3.2.
    mutating func number() throws -> [UInt8] { try bytes((integer(2) + 7) / 8) }

    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

enum PGPNumber {
    static func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Behind its count of bits, without zeros in front.
    static func encoded(_ number: [UInt8]) -> [UInt8] {
        let number = Array(number.drop { $0 == 0 })
        let bits = number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
        return bigEndian(bits, 2) + number
    }

    /// As long as the key, whatever zeros were left out.
    static func padded(_ number: [UInt8], to count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, count - number.count)) + number
    }
}

/// Text around binary OpenPGP. Source: RFC 4880 §6.2.
enum PGPArmor {
    /// - Parameter data: armored, or Base64 alone.
    static func decode(_ data: String) throws -> [UInt8] {
        var lines = data.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasSuffix("\r") ? $0.dropLast() : $0
        }
        if let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") }) {
            guard let head = lines[begin...].firstIndex(where: \.isEmpty),
                let end = lines[head...].firstIndex(where: { $0.hasPrefix("-----END ") })
            else { throw DeviceError("the armor has no end") }
            // The checksum is optional, and none of a network that has its own.
            lines = lines[head..<end].filter { !$0.hasPrefix("=") }
        }
        guard let bytes = Base64.decode(lines.joined()) else { throw DeviceError("the armor is not Base64") }
        return bytes
    }

    /// A certificate as text, with its checksum.
    static func encode(_ bytes: [UInt8]) -> String {
        let text = Array(Base64.encode(bytes))
        let lines = stride(from: 0, to: text.count, by: 64).map {
            String(text[$0..<min($0 + 64, text.count)])
        }
        let checksum = "=" + Base64.encode(PGPNumber.bigEndian(checksum(of: bytes), 3))
        let block = "PGP PUBLIC KEY BLOCK"
        return (["-----BEGIN \(block)-----", ""] + lines + [checksum, "-----END \(block)-----", ""])
            .joined(separator: "\n")
    }

    /// CRC-24. Source: RFC 4880 §6.1.
    static func checksum(of bytes: [UInt8]) -> Int {
        bytes.reduce(0xB704CE) { sum, byte in
            (0..<8).reduce(sum ^ Int(byte) << 16) { sum, _ in
                sum << 1 ^ (sum & 0x80_0000 == 0 ? 0 : 0x186_4CFB)
            }
        } & 0xFF_FFFF
    }
}
