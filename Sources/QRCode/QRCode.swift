/// A QR symbol (ISO/IEC 18004:2015, model 2): a square of dark and light modules that holds bytes.
///
/// The content is one segment in byte mode without an ECI header: scanners give the bytes back as they are, and take them
/// for UTF-8 where they are text. The version is the smallest that holds the content, the mask the one with the least
/// penalty (§7.8.3 there).
package struct QRCode: Sendable, Equatable {
    /// 1 to 40.
    package let version: Int

    /// Modules a side, without the quiet zone: 17 + 4 × version, so 21 to 177.
    package let size: Int

    /// Row by row from the top left corner, `size` × `size` bytes: 1 is dark, 0 is light.
    let modules: [UInt8]

    /// The symbol of `bytes`, of which 1 to `correction.byteLimit` fit.
    package init(_ bytes: [UInt8], correction: Correction = .medium) throws(QRCodeError) {
        if bytes.isEmpty { throw .contentEmpty }
        if bytes.count > correction.byteLimit {
            throw .contentTooLong(bytes: bytes.count, correction: correction)
        }
        self = try Encoder.encode(bytes, correction)
    }

    /// The symbol of `text` in UTF-8.
    package init(text: String, correction: Correction = .medium) throws(QRCodeError) {
        try self.init(Array(text.utf8), correction: correction)
    }

    init(version: Int, size: Int, modules: [UInt8]) {
        self.version = version
        self.size = size
        self.modules = modules
    }

    /// Whether the module at `row` and `column`, counted from 0 at the top left corner, is dark. Outside of the symbol
    /// everything is light.
    package func isDark(row: Int, column: Int) -> Bool {
        let isInside = (0..<size).contains(row) && (0..<size).contains(column)
        return isInside && modules[row * size + column] == 1
    }
}
