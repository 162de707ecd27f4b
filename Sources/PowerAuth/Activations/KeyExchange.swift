/// What the device says of itself in the key exchange.
struct KeyExchange: Sendable {
    /// KEY_DEVICE: a point in its compressed or uncompressed form.
    let devicePoint: [UInt8]
    var name: String?
    var platform: String?
    var deviceInfo: String?
    var extras: String?
    var otp: String?
    var externalID: String?
}
