extension QRCode {
    /// The symbol with its quiet zone as a PNG of one bit a pixel, `side` pixels wide and high, or as many as the modules need.
    ///
    /// Source: W3C, Portable Network Graphics (Second Edition); RFC 1950 and RFC 1951, stored blocks.
    package func png(side: Int) -> [UInt8] {
        let modules = size + 2 * Self.quietZone
        let scale = max(1, side / modules)
        let side = max(side, modules)
        let margin = (side - scale * modules) / 2 + scale * Self.quietZone
        var rows: [UInt8] = []
        for y in 0..<side {
            // Each row begins with its filter type: none.
            rows.append(0)
            rows += Self.packed((0..<side).map { x in !isDark(pixel: x, y, margin, scale) })
        }
        // Greyscale of one bit: 1 is white. No interlacing.
        let header = Self.bigEndian(side) + Self.bigEndian(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.zlib(rows)) + Self.chunk("IEND", [])
    }

    /// Modules of white around the symbol. Source: ISO/IEC 18004 §6.3.8.
    private static let quietZone = 4

    private func isDark(pixel x: Int, _ y: Int, _ margin: Int, _ scale: Int) -> Bool {
        guard x >= margin, y >= margin else { return false }
        return isDark(row: (y - margin) / scale, column: (x - margin) / scale)
    }

    private static func packed(_ bits: [Bool]) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0) { byte, index in
                byte << 1 | (start + index < bits.count && bits[start + index] ? 1 : 0)
            }
        }
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
    }

    /// Not compressed: a symbol is small, and whoever shows it is next door.
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: 0xFFFF) {
            let block = data[start..<min(start + 0xFFFF, data.count)]
            let (count, isLast) = (UInt16(block.count), start + 0xFFFF >= data.count)
            stream.append(isLast ? 1 : 0)
            for word in [count, ~count] { stream += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            stream += block
        }
        return stream + bigEndian(Int(adler32(data)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }
}
