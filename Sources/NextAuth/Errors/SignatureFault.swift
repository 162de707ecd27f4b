/// Why a signature of a device does not verify, as far as can be found out.
enum SignatureFault: Equatable, Sendable {
    /// Neither DER nor 64 bytes.
    case shapeless(byteCount: Int)
    /// It is right for the text without the line feed behind the last line.
    case lineFeedMissing
    /// It is right for an earlier challenge of this flow.
    case challengeOutdated
    /// It is right for another account of the device.
    case otherAccount(Int)
    /// Nothing that was tried fits. The value is the text that should have been signed.
    case unknown(expected: String)
}
