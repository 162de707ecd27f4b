import CQREncode
import Synchronization

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

extension QRCode {
    /// How much of a symbol may be unreadable and its content still be recovered: a share of its code words
    /// (ISO/IEC 18004 §7.5.1).
    package enum Correction: String, Sendable, CaseIterable {
        /// L, about 7 %.
        case low = "L"
        /// M, about 15 %.
        case medium = "M"
        /// Q, about 25 %.
        case quartile = "Q"
        /// H, about 30 %.
        case high = "H"

        /// The most bytes that the largest symbol, version 40, holds in byte mode (ISO/IEC 18004, table 7).
        package var byteLimit: Int {
            switch self {
            case .low: 2953
            case .medium: 2331
            case .quartile: 1663
            case .high: 1273
            }
        }
    }
}

/// Why there is no symbol.
package enum QRCodeError: Error, Equatable, CustomStringConvertible {
    case contentEmpty
    case contentTooLong(bytes: Int, correction: QRCode.Correction)
    /// The library gave up: `code` is what it left in errno, of which only ENOMEM is expected.
    case libraryFailed(code: Int32)

    package var description: String {
        switch self {
        case .contentEmpty:
            "A QR code holds at least one byte, and there is none to encode."
        case .contentTooLong(let bytes, let correction):
            """
            A QR code at error correction level \(correction.rawValue) holds at most \(correction.byteLimit) bytes, \
            the content has \(bytes); shorten it\(Self.roomierLevel(for: bytes)).
            """
        case .libraryFailed(let code):
            "The QR library made no symbol of a content that fits (errno \(code)); the system may be out of memory."
        }
    }

    private static func roomierLevel(for bytes: Int) -> String {
        let roomiest = QRCode.Correction.low
        return bytes <= roomiest.byteLimit
            ? " or take level \(roomiest.rawValue), which holds \(roomiest.byteLimit)" : ""
    }
}

/// The one place that calls libqrencode.
enum Encoder {
    /// One call at a time: the library shares tables between calls that it fills when they are first needed, and its header
    /// warns of threads where it was built without them, which a caller cannot find out.
    private static let turn = Mutex(())

    /// The symbol of `bytes`, whose number the caller has checked.
    static func encode(_ bytes: [UInt8], _ correction: QRCode.Correction) throws(QRCodeError) -> QRCode {
        var reason: Int32 = 0
        let handle = turn.withLock { _ in
            qrencode_bytes(bytes, Int32(bytes.count), correction.level, &reason)
        }
        guard let handle else { throw .libraryFailed(code: reason) }
        defer { QRcode_free(handle) }
        return QRCode(copying: handle.pointee)
    }
}

extension QRCode {
    /// The library's symbol: the lowest bit of a byte says dark, the others what the module is for.
    fileprivate init(copying symbol: CQREncode.QRcode) {
        let size = Int(symbol.width)
        let bytes = UnsafeBufferPointer(start: symbol.data, count: size * size)
        self.init(version: Int(symbol.version), size: size, modules: bytes.map { $0 & 1 })
    }
}

extension QRCode.Correction {
    fileprivate var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}
