/// What a TPM says about a key of its own, `TPMS_ATTEST` of the type certify. Source: TCG TPM 2.0 Library, part 2 §10.12.8.
struct TPMCertification {
    static let magic = 0xFF54_4347
    static let certify = 0x8017

    let magic: Int
    let type: Int
    let extraData: [UInt8]
    /// The name of the key.
    let name: [UInt8]

    init(_ bytes: [UInt8]) throws(TPMReader.Ended) {
        var reader = TPMReader(bytes)
        magic = try reader.number(4)
        type = try reader.number(2)
        _ = try reader.sized()  // qualifiedSigner
        extraData = try reader.sized()
        try reader.skip(17)  // clockInfo
        try reader.skip(8)  // firmwareVersion
        name = try reader.sized()
        _ = try reader.sized()  // qualifiedName
        try reader.end()
    }
}
