import Crypto
import DeviceKit

/// Reads values as they stand in messages.
enum Wire {
    /// Bytes in Base64 with padding.
    ///
    /// - Throws: ``DeviceError`` unless the text is the one spelling of some bytes, `count` of them where that is given.
    static func bytes(_ text: String?, _ name: String, count: Int? = nil) throws -> [UInt8] {
        guard let text else { throw DeviceError("“\(name)” is missing") }
        guard let bytes = Base64.decode(text) else { throw DeviceError("“\(name)” is not Base64: \(text)") }
        guard count == nil || bytes.count == count else {
            throw DeviceError("“\(name)” has \(bytes.count) bytes instead of \(count ?? 0)")
        }
        return bytes
    }
}
