import Testing

@testable import Onegini

/// Headers of RFC 4880 §4.2; the lengths 100, 1723, 100000 and the partial ones are the examples of §4.2.3.
struct PacketTests {
    typealias Packet = OpenPGP.Packet

    @Test(
        arguments: [
            ([0x64], 100), ([0xC5, 0xFB], 1723), ([0xFF, 0x00, 0x00, 0xC3, 0x50], 50_000),
        ] as [([UInt8], Int)])
    func `lengths of the new format are read and written`(header: [UInt8], count: Int) throws {
        let packet = Packet(tag: 11, body: [UInt8](repeating: 7, count: count))

        #expect(packet.encoded == [0xCB] + header + packet.body)
        #expect(try Packet.all(in: packet.encoded + packet.encoded) == [packet, packet])
    }

    @Test func `parts of a body are put together`() throws {
        // EF: first 32768 bytes, E1: next 2, E0: next 1, F0: next 65536, C5 DD: last 1693.
        let parts: [([UInt8], Int)] = [
            ([0xEF], 32_768), ([0xE1], 2), ([0xE0], 1), ([0xF0], 65_536), ([0xC5, 0xDD], 1693),
        ]
        var bytes: [UInt8] = [0xCB]
        for (header, count) in parts { bytes += header + [UInt8](repeating: 9, count: count) }

        #expect(try Packet.all(in: bytes) == [Packet(tag: 11, body: [UInt8](repeating: 9, count: 100_000))])
    }

    @Test(arguments: [[0x98, 2], [0x99, 0, 2], [0x9A, 0, 0, 0, 2], [0x9B]] as [[UInt8]])
    func `the four lengths of the old format are read`(header: [UInt8]) throws {
        #expect(try Packet.all(in: header + [1, 2]) == [Packet(tag: 6, body: [1, 2])])
    }

    @Test func `markers, padding and tags that are not critical are passed over`() throws {
        let marker: [UInt8] = [0xCA, 3] + Array("PGP".utf8)
        let padding: [UInt8] = [0xD5, 2, 0, 0]
        let unknown: [UInt8] = [0xC0 | 60, 1, 0]

        #expect(
            try Packet.all(in: marker + [0xCB, 1, 5] + padding + unknown) == [Packet(tag: 11, body: [5])])
    }

    @Test(
        arguments: [
            ([0xCB], .truncated(wanted: 1, left: 0)),
            ([0xCB, 2, 1], .truncated(wanted: 2, left: 1)),
            ([0xCB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], .truncated(wanted: 4_294_967_295, left: 1)),
            ([0xCB, 0xFE, 1], .truncated(wanted: 1 << 30, left: 1)),
            ([0xCB, 0xE0, 1], .truncated(wanted: 1, left: 0)),
            ([0x9A, 0xFF, 0xFF, 0xFF, 0xFF], .truncated(wanted: 4_294_967_295, left: 0)),
            ([0x0B, 1, 1], .malformed("a packet begins with the byte 11")),
            ([0xC0, 0], .malformed("a packet has the tag 0, which is reserved")),
            ([0xC1, 0xE0, 1, 0], .malformed("a packet of the tag 1 comes in parts")),
        ] as [([UInt8], OpenPGPError)])
    func `a header that lies is an error`(bytes: [UInt8], reason: OpenPGPError) {
        #expect(throws: reason) { try Packet.all(in: bytes) }
    }

    @Test func `more packets than anyone needs are refused`() throws {
        let one: [UInt8] = [0xCA, 0]

        #expect(try Packet.all(in: Array(repeatElement(one, count: 512).joined())).isEmpty)
        #expect(throws: OpenPGPError.tooManyPackets) {
            try Packet.all(in: Array(repeatElement(one, count: 513).joined()))
        }
    }
}
