import Crypto

extension Hex {
    /// The bytes that came as text from outside, in either case.
    static func bytes(ofText text: String) throws(MPinError) -> [UInt8] {
        guard let bytes = decode(text) else { throw .notHexadecimal(text.count) }
        return bytes
    }
}
