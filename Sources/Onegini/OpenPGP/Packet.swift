extension OpenPGP {
    /// One packet: a tag and a body. Source: RFC 4880 §4.
    struct Packet: Equatable {
        let tag: UInt8
        let body: [UInt8]

        /// In the new format, with the shortest length. Source: RFC 4880 §4.2.2.
        var encoded: [UInt8] { [0xC0 | tag] + Self.length(of: body.count) + body }

        /// To be passed over wherever it stands: markers, padding, and the tags that RFC 9580 §4.3 calls non-critical.
        var isSkippable: Bool { tag == Tag.marker || tag == Tag.padding || tag >= 40 }

        private static func length(of count: Int) -> [UInt8] {
            switch count {
            case ..<192: [UInt8(count)]
            case ..<8384: [UInt8((count - 192) >> 8 + 192), UInt8((count - 192) & 255)]
            default: [255] + OpenPGP.bytes(of: count, count: 4)
            }
        }
    }
}

extension OpenPGP.Packet {
    /// All packets of `bytes` in their order, without the skippable ones.
    static func all(in bytes: [UInt8]) throws(OpenPGPError) -> [Self] {
        var reader = OpenPGP.Reader(bytes)
        var packets: [Self] = []
        var count = 0
        while !reader.isAtEnd {
            count += 1
            if count > OpenPGP.maximumPackets { throw .tooManyPackets }
            let packet = try next(&reader)
            if !packet.isSkippable { packets.append(packet) }
        }
        return packets
    }

    private static func next(_ reader: inout OpenPGP.Reader) throws(OpenPGPError) -> Self {
        let header = try reader.byte()
        guard header & 0x80 != 0 else { throw .malformed("a packet begins with the byte \(header)") }
        let tag = header & 0x40 != 0 ? header & 0x3F : header >> 2 & 0x0F
        guard tag != 0 else { throw .malformed("a packet has the tag 0, which is reserved") }
        let body =
            header & 0x40 != 0
            ? try newBody(tag, &reader) : try oldBody(lengthType: header & 3, &reader)
        return Self(tag: tag, body: body)
    }

    /// RFC 4880 §4.2.1: a length of 1, 2 or 4 bytes, or none, then the packet is the rest.
    private static func oldBody(
        lengthType: UInt8, _ reader: inout OpenPGP.Reader
    ) throws(OpenPGPError) -> [UInt8] {
        if lengthType == 3 { return reader.remainder() }
        return try reader.bytes(reader.integer(1 << Int(lengthType)))
    }

    /// RFC 4880 §4.2.2: a length of 1, 2 or 5 bytes, or parts with a length each, the last of which has one of these.
    private static func newBody(
        _ tag: UInt8, _ reader: inout OpenPGP.Reader
    ) throws(OpenPGPError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let first = try Int(reader.byte())
            switch first {
            case ..<192: return try body + reader.bytes(first)
            case ..<224: return try body + reader.bytes((first - 192) << 8 + reader.integer(1) + 192)
            case 255: return try body + reader.bytes(reader.integer(4))
            default:
                guard mayBePartial.contains(tag) else {
                    throw .malformed("a packet of the tag \(tag) comes in parts")
                }
                body += try reader.bytes(1 << (first & 0x1F))
            }
        }
    }

    /// RFC 4880 §4.2.2.4: packets with data.
    private static let mayBePartial: Set = [
        OpenPGP.Tag.compressed, OpenPGP.Tag.encrypted, OpenPGP.Tag.literal, OpenPGP.Tag.protected,
        OpenPGP.Tag.authenticated,
    ]
}
