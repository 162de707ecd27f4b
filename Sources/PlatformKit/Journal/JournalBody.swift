import Essentials

/// The beginning of a body: 16 KiB mostly.
package struct JournalBody: Sendable {
    package static let limit = 16 * 1024
    /// What an archive says of a body of which nothing is kept.
    package static let unkept =
        "The body is not kept: it was passed on in pieces, or has a coding that hides its secrets."
    /// Room behind the end of a body that is not worth a copy.
    private static let spareBytes = 64

    package let bytes: [UInt8]
    /// Bytes of the whole body; more than ``bytes`` holds when it was cut, nil where nobody counted them.
    package let fullCount: Int?

    /// - Parameter most: bytes that are kept.
    package init(_ whole: [UInt8], most: Int = JournalBody.limit) {
        // Copied when there is more to it than is kept, be it the rest of a long body or room that its writer had reserved.
        let isTight = whole.capacity <= min(whole.count + Self.spareBytes, most)
        // A buffer pointer has no room to share.
        bytes = isTight ? whole : whole.prefix(most).withUnsafeBufferPointer { Array($0) }
        fullCount = whole.count
    }

    /// One of which nothing is kept.
    ///
    /// - Parameter length: nil where nobody knows it.
    package init(unkept length: Int?) {
        bytes = []
        fullCount = length
    }

    /// Whether there was more than is kept.
    package var isCut: Bool { fullCount != bytes.count }

    /// The text, or `base64:…` where it is none; nil for an empty body.
    package var text: String? {
        if bytes.isEmpty { return nil }
        let shown =
            String(validating: bytes, as: UTF8.self) ?? "base64:" + Data(bytes).base64EncodedString()
        guard isCut, let fullCount else { return shown }
        return shown + " … (\(fullCount) bytes in all)"
    }
}
