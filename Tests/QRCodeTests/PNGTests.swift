import Testing

@testable import QRCode

struct PNGTests {
    static let side = 200

    /// A PNG taken apart by hand: 8 bytes of signature, then chunks of length, type, data and checksum.
    static func chunks(_ png: [UInt8]) throws -> [(type: String, data: [UInt8], checksum: Int)] {
        try #require(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var (rest, chunks): (ArraySlice<UInt8>, [(String, [UInt8], Int)]) = (png.dropFirst(8), [])
        while !rest.isEmpty {
            let count = number(rest.prefix(4))
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            chunks.append(
                (type, Array(rest.dropFirst(8).prefix(count)), number(rest.dropFirst(8 + count).prefix(4))))
            rest = rest.dropFirst(12 + count)
        }
        return chunks
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    @Test func `the picture has its size, one bit a pixel, and the checksums of the standard`() throws {
        let chunks = try Self.chunks(QRCode(text: "otpauth://totp/x").png(side: Self.side))

        #expect(chunks.map(\.type) == ["IHDR", "IDAT", "IEND"])
        #expect(chunks[0].data == [0, 0, 0, 200, 0, 0, 0, 200, 1, 0, 0, 0, 0])
        // The checksum of the empty last chunk is the same in every PNG.
        #expect(chunks[2].checksum == 0xAE42_6082)
    }

    @Test func `its pixels are the modules, with the quiet zone around them`() throws {
        let code = try QRCode(text: "otpauth://totp/x")
        let data = try Self.chunks(code.png(side: Self.side))[1].data
        // RFC 1950: two bytes of header, four of checksum; RFC 1951 §3.2.4: five before a stored block.
        let rows = Array(data.dropFirst(2 + 5).dropLast(4))
        try #require(rows.count == Self.side * (1 + Self.side / 8))
        let scale = Self.side / (code.size + 8)
        let margin = (Self.side - scale * (code.size + 8)) / 2 + 4 * scale

        for row in -4..<code.size + 4 {
            for column in -4..<code.size + 4 {
                let (x, y) = (margin + column * scale, margin + row * scale)
                let byte = rows[y * (1 + Self.side / 8) + 1 + x / 8]
                let isWhite = byte >> (7 - x % 8) & 1 == 1
                #expect(isWhite != code.isDark(row: row, column: column), "\(row) \(column)")
            }
        }
    }

    @Test func `a picture too small for the symbol grows with it`() throws {
        let code = try QRCode(text: "otpauth://totp/x")

        let header = try Self.chunks(code.png(side: 1))[0].data
        #expect(Self.number(header.prefix(4)) == code.size + 8)
    }
}
