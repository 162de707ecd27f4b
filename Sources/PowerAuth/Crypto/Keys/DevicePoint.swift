import Crypto

extension CurvePoint {
    /// The public key of a device or of one exchange, as it came: 33 or 65 bytes.
    ///
    /// - Throws: ``ProtocolFault`` that names the member and says what the bytes are instead.
    init(_ bytes: [UInt8], of part: String) throws {
        do {
            try self.init(x962: bytes)
        } catch _ as CryptoError {
            throw ProtocolFault.malformed(
                part: part, expected: "a point of P-256, compressed or not", got: Self.description(of: bytes))
        }
    }

    private static func description(of bytes: [UInt8]) -> String {
        guard let first = bytes.first else { return "nothing" }
        let isShaped = bytes.count == 33 && (first == 2 || first == 3) || bytes.count == 65 && first == 4
        return isShaped ? "a point that is not on the curve" : "\(bytes.count) bytes that begin with \(first)"
    }
}
