import COpenSSL

package enum SHA256 {
    /// 32 bytes. Source: FIPS 180-4.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = COpenSSL.SHA256(bytes, bytes.count, &digest)
        return digest
    }
}
