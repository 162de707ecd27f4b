extension Device {
    /// Mistakes that the device makes on purpose, for tests of the server; each is off by default.
    package struct Faults: Sendable {
        /// Changes the body of each request after it was signed, also of those that the device makes by itself.
        package var body: (@Sendable ([UInt8]) -> [UInt8])?
        /// Signs for this resource instead of the right one.
        package var uriID: String?
        /// Says that each authentication code is of this version of the protocol.
        package var version: String?
        /// Turns a bit of each authentication code.
        package var breaksSignature = false
        /// Turns a bit of the MAC of each encrypted body, the outermost.
        package var breaksMAC = false
        /// Milliseconds added to the times of encrypted bodies and tokens; below zero they are stale.
        package var timeShift = 0
        /// Encrypts with this temporary key instead of one of its own.
        package var temporaryKey: TemporaryKey?
        /// Sends this as the id of the temporary key; an empty text leaves it out.
        package var temporaryKeyID: String?
        /// Sent in the key exchange as the device's public key instead of a point.
        package var deviceKey: [UInt8]?

        package init() {}
    }
}
