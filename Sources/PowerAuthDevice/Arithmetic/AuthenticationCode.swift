import Crypto

/// The code that proves factors, made of the factors' keys, the counter and the data. Source: PowerAuth documentation, “Computing and
/// Validating Signatures”.
enum AuthenticationCode {
    /// 32 bytes for each factor; keys in the order possession, knowledge, biometry.
    static func components(_ keys: [[UInt8]], counter: [UInt8], data: [UInt8]) -> [[UInt8]] {
        keys.indices.map { last in
            var key = code(counter, keys[last])
            for index in 0..<last { key = code(key, code(counter, keys[index + 1])) }
            return code(data, key)
        }
    }

    /// The form of protocol 3.0, and of all codes that people type.
    static func decimal(_ components: [[UInt8]], digits: Int = 8) -> String {
        components.map { KeyArithmetic.decimal($0, digits: digits) }.joined(separator: "-")
    }

    /// The form since protocol 3.1: the second half of each component.
    static func base64(_ components: [[UInt8]]) -> String {
        Base64.encode(components.flatMap { $0.suffix(16) })
    }

    /// What is signed: method, resource, nonce and body, and the secret of the application or what stands for it.
    static func data(
        _ method: String, _ uriID: String, nonce: String, body: [UInt8], secret: String
    ) -> [UInt8] {
        let parts = [
            method.uppercased(), Base64.encode(Array(uriID.utf8)), nonce, Base64.encode(body), secret,
        ]
        return Array(parts.joined(separator: "&").utf8)
    }

    private static func code(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Digest.sha256.authenticationCode(of: bytes, key: key)
    }
}
