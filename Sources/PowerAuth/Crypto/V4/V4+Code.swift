import Crypto

extension V4 {
    /// Authentication codes: 32 bytes for each factor, which depend on the keys of the factors before it, on the counter and on the data.
    enum Code {
        /// - Parameter keys: possession, then knowledge or biometry.
        static func components(
            _ keys: [[UInt8]], _ counter: Counter, _ data: NormalizedData
        ) throws -> [[UInt8]] {
            var key: [UInt8] = []
            return try keys.map { factor in
                key = try mac(counter.data + key, factor, for: .authenticationCode)
                return try mac(data.bytes, key, for: .authenticationCode)
            }
        }

        /// Of a request that is made online: 44 or 88 characters.
        static func online(_ components: [[UInt8]]) -> String { Base64.encode(Array(components.joined())) }

        /// What a person types: groups of `digits`, with `-` between.
        static func offline(_ components: [[UInt8]], digits: Int) -> String {
            components.map { decimalCode(of: $0, digits: digits) }.joined(separator: "-")
        }
    }

    /// `token_digest` before it becomes Base64.
    ///
    /// - Parameter timestamp: the text of the header, decimal milliseconds.
    static func tokenDigest(_ secret: [UInt8], nonce: Nonce, timestamp: String) throws -> [UInt8] {
        try mac(nonce.bytes + Array("&\(timestamp)&\(version)".utf8), secret, for: .tokenDigest)
    }
}
