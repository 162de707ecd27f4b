extension OpenPGP.Reader {
    /// The curve's identifier and a point on it: `40` and 32 bytes.
    mutating func point(
        of curve: [UInt8], _ algorithm: UInt8
    ) throws(OpenPGPError) -> [UInt8] {
        let identifier = try bytes(integer(1))
        guard identifier == curve else { throw .keyAlgorithm(algorithm) }
        let point = try number()
        guard point.count == 33, point[0] == 0x40 else {
            throw .malformed("a point on Curve25519 has other than 32 bytes")
        }
        return Array(point.dropFirst())
    }
}
