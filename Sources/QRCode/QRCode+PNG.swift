extension QRCode {
    /// The symbol with its quiet zone as a PNG of one bit a pixel, `side` pixels wide and high, or as many as the modules need.
    ///
    /// Source: W3C, Portable Network Graphics (Second Edition); RFC 1950 and RFC 1951, stored blocks.
    package func png(side: Int) -> [UInt8] {
        let modules = size + 2 * Self.quietZone
        let scale = max(1, side / modules)
        let side = max(side, modules)
        // Greyscale of one bit: 1 is white. No interlacing.
        let header = Self.bigEndian(side) + Self.bigEndian(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.zlib(rows(side, scale)))
            + Self.chunk("IEND", [])
    }

    /// Modules of white around the symbol. Source: ISO/IEC 18004 §6.3.8.
    private static let quietZone = 4

    /// All rows of pixels; those of one row of modules are the same.
    private func rows(_ side: Int, _ scale: Int) -> [UInt8] {
        let margin = (side - size * scale) / 2
        let white = row(nil, side, scale, margin)
        var rows: [UInt8] = []
        rows.reserveCapacity(side * white.count)
        for _ in 0..<margin { rows += white }
        for module in 0..<size {
            let row = row(module, side, scale, margin)
            for _ in 0..<scale { rows += row }
        }
        for _ in (margin + size * scale)..<side { rows += white }
        return rows
    }

    /// A row of pixels behind its filter type, which is none.
    ///
    /// - Parameter module: nil for a row without dark modules.
    private func row(_ module: Int?, _ side: Int, _ scale: Int, _ margin: Int) -> [UInt8] {
        var row = [UInt8](repeating: 0xFF, count: 1 + (side + 7) / 8)
        row[0] = 0
        // What is left of the last byte belongs to nobody, and is zero.
        if side % 8 > 0 { row[row.count - 1] = 0xFF << (8 - side % 8) }
        guard let module else { return row }
        for column in 0..<size where isDark(row: module, column: column) {
            for x in (margin + column * scale)..<(margin + (column + 1) * scale) {
                row[1 + x / 8] &= ~(0x80 >> UInt8(x % 8))
            }
        }
        return row
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
    }

    /// Not compressed: a symbol is small, and whoever shows it is next door.
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(data.count + data.count / 1000 + 16)
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

    /// Source: Portable Network Graphics (Second Edition), annex D.
    private static let crcTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        let table = crcTable
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes { crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
        return ~crc
    }

    /// Source: RFC 1950 §9.
    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a += UInt32(byte)
            if a >= 65521 { a -= 65521 }
            b += a
            if b >= 65521 { b -= 65521 }
        }
        return b << 16 | a
    }
}
