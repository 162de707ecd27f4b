import Crypto
import Essentials
import PowerAuth
import Testing

struct KeyTests {
    @Test(arguments: VectorEntry.all("v3/compute-master-secret-key.json"))
    func `both sides find the master secret`(_ entry: VectorEntry) throws {
        let (device, server) = (
            try entry.privateKey("devicePrivateKey"), try entry.privateKey("serverPrivateKey")
        )
        let expected = try MasterSecret(entry.key("masterSecretKey"))

        #expect(try device.publicKey == entry.publicKey("devicePublicKey"))
        #expect(try server.publicKey == entry.publicKey("serverPublicKey"))
        #expect(try MasterSecret(own: SecretScalar(server), peer: CurvePoint(device.publicKey)) == expected)
        #expect(try MasterSecret(own: SecretScalar(device), peer: CurvePoint(server.publicKey)) == expected)
    }

    @Test(arguments: VectorEntry.all("v3/compute-derived-keys.json"))
    func `the keys of an activation follow from the master secret`(_ entry: VectorEntry) throws {
        let keys = try DerivedKeys(MasterSecret(entry.key("masterSecretKey")))

        #expect(try keys.factors == entry.factorKeys())
        #expect(try keys.transport == entry.key("transportKey"))
        #expect(try keys.vault == entry.key("vaultEncryptionKey"))
        for factor in AuthenticationFactor.allCases {
            let name = "signature\(factor.rawValue.capitalized)Key"
            #expect(try keys.factors[factor] == entry.key(name))
        }
    }

    @Test(arguments: VectorEntry.all("v3/public-key-fingerprint-v3.json"))
    func `both sides show the same fingerprint`(_ entry: VectorEntry) throws {
        let fingerprint = try Fingerprint.digits(
            device: entry.publicKey("devicePublicKey"), activationID: entry.text("activationId"),
            server: entry.publicKey("serverPublicKey"))

        #expect(try fingerprint == entry.text("fingerprint"))
    }

    struct ShortCoordinate: Decodable, Sendable {
        let devicePublicKey: String
        let serverPublicKey: String
        let activationId: String
        let fingerprint: String
    }

    /// One activation in 128 has a coordinate that begins with a zero byte; the published file has none of them.
    @Test func `a coordinate loses the zero bytes before it`() throws {
        let list = try JSONDecoder().decode(
            [ShortCoordinate].self, from: Data(powerAuthVector("short-coordinates.json")))
        #expect(list.count == 4)

        for vector in list {
            let device = try PublicKey(x962: #require(Hex.decode(vector.devicePublicKey)))
            let server = try PublicKey(x962: #require(Hex.decode(vector.serverPublicKey)))
            let fingerprint = try Fingerprint.digits(
                device: device, activationID: vector.activationId, server: server)
            #expect(fingerprint == vector.fingerprint)
        }
    }

    @Test func `the worked example has the same secret, keys and fingerprint`() throws {
        let example = Example.whole["activation"]
        let (server, device) = (try Example.privateKey("server"), try Example.privateKey("device"))
        let keys = try Example.derivedKeys()
        let expected = example["derivedKeys"]

        #expect(try server.sharedSecret(with: device.publicKey) == example.hex("ecdhSharedX"))
        let secret = try MasterSecret(own: SecretScalar(device), peer: CurvePoint(server.publicKey))
        #expect(try secret.key.bytes == example.hex("masterSecret"))
        for factor in AuthenticationFactor.allCases {
            #expect(try keys.factors[factor].bytes == expected.hex(factor.rawValue))
        }
        #expect(try keys.transport.bytes == expected.hex("transport"))
        #expect(try keys.vault.bytes == expected.hex("vault"))
        let fingerprint = try Fingerprint.digits(
            device: device.publicKey, activationID: Example.activationID(), server: server.publicKey)
        #expect(try fingerprint == example.text("fingerprint"))
    }

    @Test(arguments: ["master", "server", "device", "ephemeral", "temporary"])
    func `keys of the worked example have both forms of their points`(_ name: String) throws {
        let key = try Example.privateKey(name).publicKey
        let example = Example.whole["keys"][name]

        #expect(try key.x962() == example.hex("publicUncompressed"))
        #expect(try key.x962(compressed: true) == example.hex("publicCompressed"))
        #expect(try PublicKey(x962: example.hex("publicCompressed")) == key)
        #expect(try PublicKey(x962: example.hex("publicUncompressed")) == key)
    }

    @Test func `the vault key is delivered as in the worked example`() throws {
        let (keys, example) = (try Example.derivedKeys(), Example.whole["vault"])

        #expect(try keys.vault.bytes == example.hex("vaultKey"))
        let delivered = try VaultKeyDelivery.encrypted(keys)
        #expect(try Base64.encode(delivered) == example.text("encryptedVaultEncryptionKeyBase64"))
        #expect(delivered.count == 32)
    }

    @Test(arguments: [0, 15, 17, 32])
    func `a key, a nonce or counter data of another size is refused`(_ count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        let got = "\(count) bytes"

        #expect(throws: ProtocolFault.malformed(part: "key", expected: "16 bytes", got: got)) {
            try SecretKey(bytes)
        }
        #expect(throws: ProtocolFault.malformed(part: "nonce", expected: "16 bytes", got: got)) {
            try Nonce(bytes)
        }
        #expect(throws: ProtocolFault.malformed(part: "nonce", expected: "16 bytes in Base64", got: got)) {
            try Nonce(base64: Base64.encode(bytes))
        }
        #expect(throws: ProtocolFault.malformed(part: "counter data", expected: "16 bytes", got: got)) {
            try HashCounter(bytes)
        }
    }

    @Test func `a refusal says what was expected and what came`() {
        let missing = ProtocolFault.missing(member: "nonce", version: .v31)
        let unexpected = ProtocolFault.unexpected(member: "timestamp", version: .v30)
        let malformed = ProtocolFault.malformed(part: "mac", expected: "32 bytes in Base64", got: "3 bytes")

        #expect(missing.description == "“nonce” is missing; version 3.1 demands it")
        #expect(unexpected.description == "“timestamp” is there; version 3.0 does not have it")
        #expect(malformed.description == "mac: expected 32 bytes in Base64, got 3 bytes")
        #expect(
            ProtocolFault.wrong(part: "mac").description
                == "mac is not the one that the keys and the data give")
    }
}
