import Essentials

/// The first 16 KiB of a body.
package struct JournalBody: Sendable {
    package static let limit = 16 * 1024
    /// Room behind the end of a body that is not worth a copy.
    private static let spareBytes = 64

    package let bytes: ArraySlice<UInt8>
    /// Bytes of the whole body; more than ``bytes`` holds when it was cut.
    package let fullCount: Int

    package init(_ whole: [UInt8]) {
        // Copied when there is more to it than is kept, be it the rest of a long body or room that its writer had reserved.
        let isTight = whole.capacity <= min(whole.count + Self.spareBytes, Self.limit)
        // A buffer pointer has no room to share.
        bytes = isTight ? whole[...] : whole.prefix(Self.limit).withUnsafeBufferPointer { Array($0)[...] }
        fullCount = whole.count
    }

    /// The text, or `base64:…` where it is none; nil for an empty body.
    package var text: String? {
        if bytes.isEmpty { return nil }
        let shown =
            String(validating: bytes, as: UTF8.self) ?? "base64:" + Data(bytes).base64EncodedString()
        return fullCount > bytes.count ? shown + " … (\(fullCount) bytes in all)" : shown
    }
}
