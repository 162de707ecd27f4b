import Crypto

/// Version 3.0: codes in digits, a zero IV everywhere, a status without challenge.
struct V30: BeforeV32 {
    let version = ProtocolVersion.v30
    let authenticationCodeFormat = AuthenticationCodeFormat.decimal(digits: 8)
    let requestMembers: EnvelopeMembers = []

    private static let zeroIV = [UInt8](repeating: 0, count: 16)

    func envelopeIV(_ keys: EnvelopeKeys, nonce: Nonce?) throws -> [UInt8] { Self.zeroIV }

    /// The counter, the look-ahead and what follows are without meaning here: they keep the filler.
    func encryptedStatus(
        _ blob: StatusBlob, transport: SecretKey, exchange: StatusExchange?, filler: [UInt8]
    ) throws -> [UInt8] {
        guard exchange == nil else { throw ProtocolFault.unexpected(member: "challenge", version: version) }
        return try AES.encryptCBC(
            blob.bytes(over: filler), key: transport.bytes, iv: Self.zeroIV, padding: false)
    }
}
