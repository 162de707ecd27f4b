package import Crypto

/// The content of a QR code that a device signs without a network.
package struct OfflineQRCode: Sendable {
    package enum Key: Sendable {
        /// The application's master key: any device may read the code.
        case master(PrivateKey)
        /// The server key of one activation of protocol 3.x.
        case personalized(PrivateKey)
        /// The key for personalised data of one activation of 4.0, 32 bytes, which both sides have. Source: the vendor's back-end tests of
        /// server 2.x, and the Mobile Token SDK 3.0, whose `macPersonalized` it is.
        case shared([UInt8])
    }

    /// What the signature covers.
    package let signedText: String
    /// The whole content: the signature, Base64 of DER, or in 4.0 the MAC of 32 bytes, follows the signed text at once.
    package let text: String

    /// - Parameters:
    ///   - data: the lines of the operation.
    ///   - otp: of a proximity check; stands before the nonce.
    package init(data: String, otp: String? = nil, nonce: Nonce, key: Key) throws {
        let lines = [data, otp, nonce.base64, key.marker].compactMap { $0 }
        signedText = lines.joined(separator: "\n")
        text = try signedText + Base64.encode(key.signature(of: Array(signedText.utf8)))
    }
}

extension OfflineQRCode.Key {
    fileprivate var marker: String {
        switch self {
        case .master: "0"
        case .personalized: "1"
        case .shared: "2"
        }
    }

    fileprivate func signature(of bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .master(let key), .personalized(let key): try DataSignature.sign(bytes, by: key)
        case .shared(let key): try V4.mac(bytes, key, for: .personalizedData)
        }
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
