package import Crypto

/// The content of a QR code that a device signs without a network.
package struct OfflineQRCode: Sendable {
    package enum Key: Sendable {
        /// The application's master key: any device may read the code.
        case master(PrivateKey)
        /// The server key of one activation.
        case personalized(PrivateKey)
    }

    /// What the signature covers.
    package let signedText: String
    /// The whole content: the signature, Base64 of DER, follows the signed text at once.
    package let text: String

    /// - Parameters:
    ///   - data: the lines of the operation.
    ///   - otp: of a proximity check; stands before the nonce.
    package init(data: String, otp: String? = nil, nonce: Nonce, key: Key) throws {
        let (marker, privateKey) =
            switch key {
            case .master(let key): ("0", key)
            case .personalized(let key): ("1", key)
            }
        signedText = [data, otp, nonce.base64, marker].compactMap { $0 }.joined(separator: "\n")
        let signature = try DataSignature.sign(Array(signedText.utf8), by: privateKey)
        text = signedText + Base64.encode(signature)
    }
}

/// What an offline code covers: `operationId&operationData`, and behind another `&` the one-time password of a proximity check.
package struct OfflineData: Sendable, Equatable {
    package let bytes: [UInt8]

    /// - Parameter text: the parts, already joined.
    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(operationID: String, data: String, otp: String? = nil) {
        self.init([operationID, data, otp].compactMap { $0 }.joined(separator: "&"))
    }
}
