import Crypto

extension V4 {
    /// The public keys by which one side of an activation signs.
    struct SigningKeys: Sendable, Equatable {
        let point: CurvePoint
        /// SubjectPublicKeyInfo of the key of ML-DSA, in the suites that have one.
        let second: [UInt8]?

        /// The x coordinate as a number, without zero bytes before it (*assumed*, as in 3.x), and the second key.
        fileprivate var bytes: [UInt8] {
            Array(point.x962[1...point.curve.coordinateCount].drop { $0 == 0 }) + (second ?? [])
        }
    }

    /// Eight digits that people compare on both sides.
    static func fingerprint(
        _ suite: Suite, device: SigningKeys, activationID: String, server: SigningKeys
    ) -> String {
        let bytes =
            Array(suite.rawValue.utf8) + device.bytes + Array(activationID.utf8) + server.bytes
        return decimalCode(of: SHA3.bits256(bytes), digits: 8)
    }
}
