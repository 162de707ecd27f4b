extension AuthenticatorData {
    /// The bytes of authenticator data, as an authenticator writes them; flags are taken as they are, and ED is
    /// set where there are extensions.
    static func encode(
        rpIDHash: [UInt8], flags: AuthenticatorFlags, signCount: UInt32,
        credential: (aaguid: [UInt8], id: [UInt8], publicKey: [UInt8])? = nil, extensions: [CBOREntry] = []
    ) -> [UInt8] {
        let flags = extensions.isEmpty ? flags : flags.union(.extensions)
        var bytes = rpIDHash + [flags.rawValue] + withUnsafeBytes(of: signCount.bigEndian) { Array($0) }
        if let credential {
            bytes += credential.aaguid
            bytes += [UInt8(truncatingIfNeeded: credential.id.count >> 8)]
            bytes += [UInt8(truncatingIfNeeded: credential.id.count)]
            bytes += credential.id + credential.publicKey
        }
        return extensions.isEmpty ? bytes : bytes + CBOR.map(extensions).encoded
    }
}
