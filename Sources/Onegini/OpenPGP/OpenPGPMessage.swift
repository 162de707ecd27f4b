/// Encrypted messages between the server and a device.
package enum OpenPGPMessage {
    /// A literal packet of UTF-8 text without a file name and a date. Source: RFC 4880 §5.9.
    static func literal(_ text: [UInt8]) -> OpenPGP.Packet {
        OpenPGP.Packet(
            tag: OpenPGP.Tag.literal, body: [UInt8(ascii: "u"), 0] + OpenPGP.bytes(of: 0, count: 4) + text)
    }

    /// The text of a literal packet, as it stands there.
    static func text(ofLiteral body: [UInt8]) throws(OpenPGPError) -> [UInt8] {
        var reader = OpenPGP.Reader(body)
        let format = try reader.byte()
        guard [UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "u")].contains(format) else {
            throw .malformed("a literal packet of the format \(format)")
        }
        _ = try reader.bytes(reader.integer(1))
        _ = try reader.integer(4)
        return reader.remainder()
    }
}
