import Crypto

/// A protected header as it stands in a token.
package struct EncodedHeader: Sendable {
    package let header: JWSHeader
    /// Base64url
    let text: [UInt8]

    var algorithm: JWSAlgorithm { header.algorithm }
}

extension JWSHeader {
    package var encoded: EncodedHeader {
        var text: [UInt8] = []
        Base64URL.append(Array(json.utf8), to: &text)
        return EncodedHeader(header: self, text: text)
    }
}
