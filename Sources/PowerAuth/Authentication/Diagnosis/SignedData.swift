import Crypto

/// What a code covers, in its parts, so that each can be tried in another form.
struct SignedData: Sendable, Equatable {
    var method: String
    var uriID: String
    /// Base64 text.
    var nonce: String
    var body: [UInt8]
    /// The application secret as text, or `offline`.
    var secret: String
    /// What a client may have taken for the agreed identifier: the path of the request.
    var paths: [String] = []

    var normalized: NormalizedData {
        let parts = [method, Base64.encode(Array(uriID.utf8)), nonce, Base64.encode(body), secret]
        return NormalizedData(Array(parts.joined(separator: "&").utf8))
    }
}

extension SignedData {
    /// Takes apart what somebody else has joined; nil for what has not the four parts of normalised data.
    init?(normalized data: [UInt8], secret: String) {
        let parts = String(decoding: data, as: UTF8.self).split(
            separator: "&", omittingEmptySubsequences: false
        ).map(String.init)
        guard parts.count == 4, let uriID = Base64.decode(parts[1]), let body = Base64.decode(parts[3]) else {
            return nil
        }
        self.init(
            method: parts[0], uriID: String(decoding: uriID, as: UTF8.self), nonce: parts[2], body: body,
            secret: secret)
    }
}
