package import Essentials

/// A challenge on record. Whoever keeps it marks it as used when a response to it comes, whatever comes of that.
package struct IssuedChallenge: Sendable, Equatable {
    package var bytes: [UInt8]
    /// For which ceremony it was issued.
    package var ceremony: Ceremony
    /// nil where an expiry is not looked at.
    package var expiresAt: Date?
    package var isUsed: Bool

    package init(_ bytes: [UInt8], for ceremony: Ceremony, expiresAt: Date? = nil, isUsed: Bool = false) {
        (self.bytes, self.ceremony, self.expiresAt, self.isUsed) = (bytes, ceremony, expiresAt, isUsed)
    }
}
