import Crypto

/// What an authentication code covers: method, identifier of the resource, nonce, body and a secret, joined by `&`.
package struct NormalizedData: Sendable, Equatable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - uriID: the agreed identifier, not the path of the request.
    ///   - body: the bytes as received; of a GET request ``CanonicalQuery``.
    package init(
        method: String, uriID: String, nonce: Nonce, body: [UInt8], secret: ApplicationSecret
    ) {
        self.init(method: method.uppercased(), uriID: uriID, nonce: nonce, body: body, secret: secret.text)
    }

    /// What an offline code covers, for `data` of ``OfflineData``.
    package static func offline(_ data: OfflineData, nonce: Nonce) -> NormalizedData {
        NormalizedData(
            method: "POST", uriID: "/operation/authorize/offline", nonce: nonce, body: data.bytes,
            secret: "offline")
    }

    private init(method: String, uriID: String, nonce: Nonce, body: [UInt8], secret: String) {
        let parts = [method, Base64.encode(Array(uriID.utf8)), nonce.base64, Base64.encode(body), secret]
        bytes = Array(parts.joined(separator: "&").utf8)
    }
}
