import Crypto

extension OpenPGPMessage {
    /// Decrypts what a device sent to the server.
    ///
    /// To the device all errors must look the same. The way to the error is made the same as well: a message whose session
    /// key is wrong is decrypted with another one, as far as its integrity check.
    ///
    /// - Parameters:
    ///   - message: in binary form, in base64, or armored.
    ///   - signer: whose signature is expected, if there is one.
    /// - Returns: `isSigned` is true for a message with a right signature. Without a `signer` no signature is looked at, and it is
    ///   false.
    package static func decrypt(
        _ message: [UInt8], with key: OpenPGPServerKey, signer: OpenPGPCertificate?
    ) throws(OpenPGPError) -> (plaintext: [UInt8], isSigned: Bool) {
        let packets = try OpenPGP.Packet.all(in: OpenPGP.Armor.message.decode(message))
        let encrypted = try Envelope(packets)
        let content = try SignedContent(OpenPGP.Packet.all(in: encrypted.open(with: key)))
        return (content.text, try content.isSigned(by: signer))
    }
}
