extension OpenPGP {
    /// The ciphers of RFC 4880 §9.2 that are accepted.
    enum Cipher: UInt8 {
        case aes128 = 7
        case aes192 = 8
        case aes256 = 9

        /// In bytes.
        var keyCount: Int {
            switch self {
            case .aes128: 16
            case .aes192: 24
            case .aes256: 32
            }
        }
    }
}
