extension AuthenticatorData {
    private static let headCount = 37

    /// - Throws: ``AuthenticatorDataError`` for anything but the layout of the standard, also for bytes that are left over.
    package init(_ bytes: [UInt8]) throws(AuthenticatorDataError) {
        guard bytes.count >= Self.headCount else {
            throw Self.fault("37 bytes or more", "\(bytes.count) bytes")
        }
        self.bytes = bytes
        rpIDHash = Array(bytes[..<32])
        flags = AuthenticatorFlags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[Self.headCount...]
        credential = flags.contains(.attestedCredential) ? try Self.credential(&rest) : nil
        extensions = flags.contains(.extensions) ? try Self.extensions(&rest) : nil
        guard rest.isEmpty else {
            throw Self.fault(
                "nothing after \(bytes.count - rest.count) bytes with the flags \(flags)",
                "\(rest.count) more bytes")
        }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>)
        throws(AuthenticatorDataError) -> AttestedCredential
    {
        guard rest.count >= 18 else {
            throw fault(
                "an AAGUID and the length of the credential id, because AT is set", "\(rest.count) bytes")
        }
        let aaguid = Array(rest.prefix(16))
        let count = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(18)
        guard count <= rest.count else {
            throw fault("a credential id of \(count) bytes, as its length says", "\(rest.count) bytes")
        }
        let id = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        let key: COSEKey
        do {
            let item = try CBORDecoder.first(in: rest)
            key = try COSEKey(item.value, bytes: Array(rest.prefix(item.count)))
            rest = rest.dropFirst(item.count)
        } catch let error as COSEKeyError {
            throw AuthenticatorDataError(part: .publicKey, expected: error.expected, got: error.got)
        } catch {
            throw AuthenticatorDataError(
                part: .publicKey, expected: "a COSE_Key after the credential id", got: "no CBOR: \(error)")
        }
        return AttestedCredential(aaguid: aaguid, id: id, publicKey: key)
    }

    private static func extensions(_ rest: inout ArraySlice<UInt8>) throws(AuthenticatorDataError) -> CBOR {
        do {
            let (value, count) = try CBORDecoder.first(in: rest)
            guard value.map != nil else { throw fault("a map of extensions", value.summary) }
            rest = rest.dropFirst(count)
            return value
        } catch let error as AuthenticatorDataError {
            throw error
        } catch {
            throw fault("a map of extensions, because ED is set", "no CBOR: \(error)")
        }
    }

    private static func fault(_ expected: String, _ got: String) -> AuthenticatorDataError {
        AuthenticatorDataError(part: .layout, expected: expected, got: got)
    }
}
