import Crypto

/// A protected header as it stands in a token.
package struct EncodedHeader: Sendable {
    let algorithm: JWSAlgorithm
    /// Base64url
    let text: [UInt8]
}

extension JWSHeader {
    package var encoded: EncodedHeader {
        var text: [UInt8] = []
        Base64URL.append(Array(json.utf8), to: &text)
        return EncodedHeader(algorithm: algorithm, text: text)
    }
}
