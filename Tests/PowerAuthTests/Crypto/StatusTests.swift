import Crypto
import PowerAuth
import Testing

struct StatusTests {
    @Test(arguments: VectorEntry.all("v3/activation-status-blob-iv.json"))
    func `the IV of a status is the published one`(_ entry: VectorEntry) throws {
        let exchange = try StatusExchange(challenge: entry.nonce("challenge"), nonce: entry.nonce("nonce"))

        #expect(try StatusIV.compute(entry.key("transportKey"), exchange) == entry.bytes("iv"))
    }

    /// The published status is encrypted anew from what it says: its random bytes are read out of it.
    @Test(arguments: VectorEntry.all("v3/activation-status-blob-data.json"))
    func `a published status is written byte for byte`(_ entry: VectorEntry) throws {
        let transport = try entry.key("transportKey")
        let exchange = try StatusExchange(challenge: entry.nonce("challenge"), nonce: entry.nonce("nonce"))
        let encrypted = try entry.bytes("encryptedStatusBlob")
        let plain = try AES.decryptCBC(
            encrypted, key: transport.bytes, iv: StatusIV.compute(transport, exchange), padding: false)
        let filler = [UInt8](repeating: 0, count: 7) + plain[7..<12] + [UInt8](repeating: 0, count: 20)
        let start = try HashCounter(entry.bytes("ctrData"))

        let blob = try StatusBlob(
            state: #require(StatusBlob.State(rawValue: UInt8(entry.number("activationStatus")))),
            currentVersion: entry.number("currentVersion"), upgradeVersion: entry.number("upgradeVersion"),
            failedAttempts: entry.number("failedAttempts"),
            maxFailedAttempts: entry.number("maxFailedAttempts"), lookAhead: entry.number("ctrLookAhead"),
            counter: 256 + entry.number("ctrByte"),
            counterData: start.advanced(by: entry.number("counterDistance")))
        #expect(try Array(plain[16...]) == entry.bytes("ctrDataHash"))
        for version in [ProtocolVersion.v31, .v32, .v33] {
            let written = try version.mobileProtocol.encryptedStatus(
                blob, transport: transport, exchange: exchange, filler: filler)
            #expect(written == encrypted)
        }
    }

    private func exampleBlob() throws -> StatusBlob {
        let (example, meaning) = (Example.whole["status"], Example.whole["status"]["meaning"])
        return try StatusBlob(
            state: #require(StatusBlob.State(rawValue: UInt8(meaning.number("status")))),
            currentVersion: meaning.number("currentVersion"),
            upgradeVersion: meaning.number("upgradeVersion"),
            failedAttempts: meaning.number("failCount"), maxFailedAttempts: meaning.number("maxFailCount"),
            lookAhead: meaning.number("lookAhead"), counter: example.number("counterOfServer"),
            counterData: HashCounter(example.hex("ctrDataOfServer")))
    }

    @Test func `the worked example has the same status and the same values on the way`() throws {
        let example = Example.whole["status"]
        let transport = try Example.derivedKeys().transport
        let exchange = try StatusExchange(
            challenge: example.nonce("challengeBase64"), nonce: example.nonce("nonceBase64"))
        let blob = try exampleBlob()

        #expect(try transport.derived(3000).bytes == example.hex("keyTransportIv"))
        #expect(try transport.derived(4000).bytes == example.hex("keyTransportCtr"))
        #expect(
            try transport.derived(4000).derived(from: blob.counterData.data).bytes
                == example.hex("ctrDataHash"))
        #expect(try StatusIV.compute(transport, exchange) == example.hex("iv"))
        let written = try ProtocolVersion.v33.mobileProtocol.encryptedStatus(
            blob, transport: transport, exchange: exchange, filler: example.hex("plainBlob"))
        #expect(try Base64.encode(written) == example.text("encryptedStatusBlobBase64"))
        let plain = try AES.decryptCBC(
            written, key: transport.bytes, iv: example.hex("iv"), padding: false)
        #expect(try plain == example.hex("plainBlob"))
    }

    @Test func `without a challenge the IV is zero, and counter and look-ahead stay filler`() throws {
        let transport = try Example.derivedKeys().transport
        let filler = (100..<132).map(UInt8.init)
        let written = try ProtocolVersion.v30.mobileProtocol.encryptedStatus(
            exampleBlob(), transport: transport, exchange: nil, filler: filler)

        let plain = try AES.decryptCBC(
            written, key: transport.bytes, iv: [UInt8](repeating: 0, count: 16), padding: false)
        #expect(Array(plain[..<7]) == [0xDE, 0xC0, 0xDE, 0xD1, 3, 3, 3])
        #expect(Array(plain[7..<13]) == Array(filler[7..<13]))
        #expect(Array(plain[13..<15]) == [2, 5])
        #expect(Array(plain[15...]) == Array(filler[15...]))
    }

    @Test func `only a status with a challenge is of the later versions`() throws {
        let (transport, filler) = (try Example.derivedKeys().transport, [UInt8](repeating: 0, count: 32))
        let exchange = try StatusExchange(
            challenge: Nonce(Array(filler[..<16])), nonce: Nonce(Array(filler[16...])))
        let blob = try exampleBlob()

        #expect(ProtocolVersion.ofStatusRequest(hasChallenge: false) == .v30)
        #expect(ProtocolVersion.ofStatusRequest(hasChallenge: true) == .v33)
        #expect(throws: ProtocolFault.unexpected(member: "challenge", version: .v30)) {
            try ProtocolVersion.v30.mobileProtocol.encryptedStatus(
                blob, transport: transport, exchange: exchange, filler: filler)
        }
        #expect(throws: ProtocolFault.missing(member: "challenge", version: .v31)) {
            try ProtocolVersion.v31.mobileProtocol.encryptedStatus(
                blob, transport: transport, exchange: nil, filler: filler)
        }
        #expect(throws: ProtocolFault.self) {
            try ProtocolVersion.v33.mobileProtocol.encryptedStatus(
                blob, transport: transport, exchange: exchange, filler: [])
        }
    }
}
