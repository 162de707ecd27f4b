import CQREncode
import Synchronization

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
