import Crypto
import Essentials
import Testing

@testable import PowerAuthDevice

/// One activation with every value between, computed by a second implementation.
@Suite struct ExampleTests {
    private let example: JSONValue

    init() throws { example = try VectorFile.json("example.json") }

    @Test func `the configuration text tells key, secret and master key`() throws {
        let configuration = try MobileConfiguration(
            parsing: example.string("application.mobileSdkConfigBase64"))
        #expect(try configuration.applicationKey == example.string("application.appKey"))
        #expect(try configuration.applicationSecret == example.string("application.appSecret"))
        #expect(try configuration.masterKey.x962() == example.hex("keys.master.publicUncompressed"))
        #expect(
            try configuration.masterKey.x962(compressed: true) == example.hex("keys.master.publicCompressed"))
    }

    @Test func `the QR text of an activation is read and verified`() throws {
        let code = try ActivationCode(parsing: example.string("activationCode.qrText"))
        #expect(try code.text == example.string("activationCode.code"))
        #expect(
            try Hex.encode(
                KeyArithmetic.bigEndian(ActivationCode.checksum(example.hex("activationCode.random"))))
                == example.string("activationCode.crc16"))
        #expect(code.isSigned(by: try masterKey))
    }

    @Test func `the keys follow from the key agreement`() throws {
        let device = try PrivateKey(scalar: example.hex("keys.device.private"))
        let server = try PublicKey(x962: example.hex("keys.server.publicCompressed"))
        let master = try KeyArithmetic.masterSecret(device, server)
        #expect(try master == example.hex("activation.masterSecret"))
        for (index, name) in [
            (1, "possession"), (2, "knowledge"), (3, "biometry"), (1000, "transport"), (2000, "vault"),
        ] as [(UInt64, String)] {
            #expect(try KeyArithmetic.derive(master, index) == example.hex("activation.derivedKeys." + name))
        }
        #expect(
            try Fingerprint.text(
                device: device.publicKey, activationID: example.string("activation.activationId"),
                server: server) == example.string("activation.fingerprint"))
    }

    @Test func `a body is normalised and signed`() throws {
        let data = AuthenticationCode.data(
            "post", try example.string("signature.uriId"), nonce: try example.string("signature.nonceBase64"),
            body: try example.hex("signature.bodyHex"), secret: try example.string("application.appSecret"))
        #expect(try String(decoding: data, as: UTF8.self) == example.string("signature.dataToSign"))

        let counter = HashCounter(try example.hex("signature.ctrData"))
        #expect(try counter.advanced(by: 1).data == example.hex("signature.nextCtrData"))
        for (form, version) in [("signature30", Device.Version.v30), ("signature31", .v31)] {
            for (type, code) in try #require(example.at("signature." + form).object) {
                let keys = try type.split(separator: "_").map {
                    try example.hex("activation.derivedKeys.\($0)")
                }
                let components = AuthenticationCode.components(keys, counter: counter.data, data: data)
                let text =
                    version == .v30
                    ? AuthenticationCode.decimal(components) : AuthenticationCode.base64(components)
                #expect(.string(text) == code, "\(form) \(type)")
            }
        }
    }

    @Test func `a query is signed in its canonical form`() throws {
        let bytes = Device.canonicalQuery(try example.string("canonicalQuery.queryString"))
        #expect(try String(decoding: bytes, as: UTF8.self) == example.string("canonicalQuery.bodyToSign"))
        #expect(Device.canonicalQuery("").isEmpty)
        #expect(Device.canonicalQuery("flag&a=1") == Array("a=1".utf8))
    }

    @Test func `an offline code is short enough to type`() throws {
        let data = AuthenticationCode.data(
            "POST", "/operation/authorize/offline", nonce: try example.string("offline.nonceBase64"),
            body: Array(try example.string("offline.data").utf8), secret: "offline")
        #expect(try String(decoding: data, as: UTF8.self) == example.string("offline.dataToSign"))
        let components = AuthenticationCode.components(
            try ["possession", "knowledge"].map { try example.hex("activation.derivedKeys." + $0) },
            counter: try example.hex("signature.ctrData"), data: data)
        #expect(
            try AuthenticationCode.decimal(components) == example.string("offline.signatureLength8"))
        #expect(
            try AuthenticationCode.decimal(components, digits: 4)
                == example.string("offline.signatureLength4"))
    }

    @Test func `the status is opened`() throws {
        let transportKey = try example.hex("activation.derivedKeys.transport")
        let blob = try StatusBlob(
            example.base64("status.encryptedStatusBlobBase64"), transportKey: transportKey,
            challenge: example.base64("status.challengeBase64"), nonce: example.base64("status.nonceBase64"))
        #expect(try Int(blob.state) == example.at("status.meaning.status").integer)
        #expect(try Int(blob.counterByte) == example.at("status.meaning.ctrByte").integer)
        #expect(try Int(blob.failedAttempts) == example.at("status.meaning.failCount").integer)
        #expect(try Int(blob.maximumFailedAttempts) == example.at("status.meaning.maxFailCount").integer)
        #expect(try Int(blob.lookAhead) == example.at("status.meaning.lookAhead").integer)
        #expect(try blob.counterHash == example.hex("status.ctrDataHash"))
        let counter = HashCounter(try example.hex("status.ctrDataOfServer"))
        #expect(try StatusBlob.hash(of: counter, transportKey: transportKey) == blob.counterHash)
    }

    @Test(arguments: [Device.Version.v31, .v32, .v33])
    func `a token's digest names the version since 3_2`(_ version: Device.Version) throws {
        let digest = Device.tokenDigest(
            try example.base64("token.tokenSecretBase64"), nonce: try example.base64("token.nonceBase64"),
            timestamp: try example.string("token.timestamp"), version)
        let name = "token.digest" + version.rawValue.filter { $0 != "." } + "Base64"
        #expect(try Base64.encode(digest) == example.string(name))
    }

    @Test func `the key of the vault is transported`() throws {
        let key = try AES.decryptCBC(
            example.base64("vault.encryptedVaultEncryptionKeyBase64"),
            key: example.hex("activation.derivedKeys.transport"), iv: KeyArithmetic.zeros(16))
        #expect(try key == example.hex("vault.vaultKey"))
    }

    @Test func `temporary keys are asked for in a token of HS256`() throws {
        let secret = try example.base64("application.appSecret")
        let transportKey = try example.hex("activation.derivedKeys.transport")
        let key = KeyArithmetic.deriveInternal(transportKey, secret)
        #expect(try key == example.hex("keystoreRequest.hmacKeyActivationScope"))
        #expect(
            try Device.keyRequest(claims: Array(example.string("keystoreRequest.claims").utf8), key: key)
                == example.string("keystoreRequest.jwtActivationScope"))
    }

    @Test func `encrypted exchanges have the values of the second implementation`() throws {
        for vector in try #require(example.at("ecies").array) {
            let version = try #require(Device.Version(rawValue: vector.string("version")))
            let purpose = try #require(Purpose(rawValue: vector.string("sharedInfo1")))
            var context = EnvelopeContext(
                version: version, applicationKey: try example.string("application.appKey"),
                applicationSecret: try example.string("application.appSecret"),
                temporaryKeyID: try vector.at("request")["temporaryKeyId"]?.string)
            if purpose.scope == .activation {
                context.activation = (
                    try example.string("activation.activationId"),
                    try example.hex("activation.derivedKeys.transport")
                )
            }
            let ephemeral = try PrivateKey(scalar: example.hex("keys.ephemeral.private"))
            let point = try ephemeral.publicKey.x962(compressed: true)
            let recipient = try PublicKey(
                x962: example.hex("keys.\(vector.string("encryptionKeyUsed")).publicUncompressed"))
            let keys = EnvelopeKeys(
                secret: try ephemeral.sharedSecret(with: recipient), purpose, ephemeral: point, version)
            #expect(try keys == EnvelopeKeys(vector.hex("envelope48")))

            let envelope = Envelope(keys: keys, context: context, ephemeral: point)
            let request = try vector.at("request")
            let nonce = version == .v30 ? [] : try request.base64("nonce")
            let sealed = try envelope.seal(
                Array(vector.string("requestPlain").utf8), nonce: nonce,
                timestamp: request["timestamp"]?.integer ?? 0)
            #expect(sealed.json == request)
            let opened = try envelope.open(
                SealedMessage(response: vector.at("response")), requestNonce: nonce)
            #expect(try String(decoding: opened, as: UTF8.self) == vector.string("responsePlain"))
        }
    }

    private var masterKey: PublicKey {
        get throws { try PublicKey(x962: example.hex("keys.master.publicCompressed")) }
    }
}
