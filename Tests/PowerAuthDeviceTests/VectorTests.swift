import Crypto
import Essentials
import Testing

@testable import PowerAuthDevice

/// The published vectors of the protocol's versions 3.
@Suite struct VectorTests {
    @Test func `both sides fold the same master secret`() throws {
        for vector in try VectorFile.entries("v3/compute-master-secret-key.json") {
            let expected = try vector.bytes("masterSecretKey")
            for (own, other) in [("device", "server"), ("server", "device")] {
                let key = try PrivateKey(scalar: vector.bytes(own + "PrivateKey"))
                let peer = try PublicKey(x962: vector.bytes(other + "PublicKey"))
                #expect(try KeyArithmetic.masterSecret(key, peer) == expected)
            }
        }
    }

    @Test func `keys are derived by number`() throws {
        for vector in try VectorFile.entries("v3/compute-derived-keys.json") {
            let master = try vector.bytes("masterSecretKey")
            for (index, name) in [
                (1, "signaturePossessionKey"), (2, "signatureKnowledgeKey"), (3, "signatureBiometryKey"),
                (1000, "transportKey"), (2000, "vaultEncryptionKey"),
            ] as [(UInt64, String)] {
                #expect(try KeyArithmetic.derive(master, index) == vector.bytes(name))
            }
        }
    }

    @Test func `people compare the same fingerprint`() throws {
        for vector in try VectorFile.entries("v3/public-key-fingerprint-v3.json") {
            let text = try Fingerprint.text(
                device: PublicKey(x962: vector.bytes("devicePublicKey")),
                activationID: vector.text("activationId"),
                server: PublicKey(x962: vector.bytes("serverPublicKey")))
            #expect(try text == vector.text("fingerprint"))
        }
    }

    @Test func `activation codes are well formed and signed`() throws {
        for vector in try VectorFile.entries("v3/verify-activation-data-signature-v3.json") {
            let master = try PublicKey(x962: vector.bytes("masterPublicKey"))
            let text = try vector.text("activationCode")
            let code = try ActivationCode(parsing: text + "#" + vector.text("activationSignature"))
            #expect(code.text == text)
            #expect(code.isSigned(by: master))
            #expect(!code.isSigned(by: try CurveKey.generate(TestChance().draw).publicKey))
            #expect(try !ActivationCode(parsing: text).isSigned(by: master))
        }
    }

    @Test(arguments: ["v3/signatures-v3.json", "v3/signatures-v31.json", "v3/signatures-offline.json"])
    func `authentication codes are right for every combination of factors`(_ file: String) throws {
        for vector in try VectorFile.entries(file) {
            let names = try vector.text("signatureType").split(separator: "_")
            let keys = try names.map { try vector.bytes("signature\($0.capitalized)Key") }
            let components = AuthenticationCode.components(
                keys, counter: try vector.bytes("counterData"), data: try vector.bytes("data"))
            let code =
                switch file {
                case "v3/signatures-v3.json": AuthenticationCode.decimal(components)
                case "v3/signatures-v31.json": AuthenticationCode.base64(components)
                default:
                    AuthenticationCode.decimal(
                        components, digits: try vector.number("signatureComponentLength"))
                }
            #expect(try code == vector.text("signature"))
        }
    }

    @Test func `the status is encrypted under a fresh IV`() throws {
        for vector in try VectorFile.entries("v3/activation-status-blob-iv.json") {
            let iv = try StatusBlob.iv(
                vector.bytes("transportKey"), vector.bytes("challenge"), vector.bytes("nonce"))
            #expect(try iv == vector.bytes("iv"))
        }
    }

    @Test func `the status tells its fields and the counter`() throws {
        for vector in try VectorFile.entries("v3/activation-status-blob-data.json") {
            let transportKey = try vector.bytes("transportKey")
            let blob = try StatusBlob(
                vector.bytes("encryptedStatusBlob"), transportKey: transportKey,
                challenge: vector.bytes("challenge"), nonce: vector.bytes("nonce"))
            #expect(try Int(blob.state) == vector.number("activationStatus"))
            #expect(try Int(blob.currentVersion) == vector.number("currentVersion"))
            #expect(try Int(blob.upgradeVersion) == vector.number("upgradeVersion"))
            #expect(try Int(blob.failedAttempts) == vector.number("failedAttempts"))
            #expect(try Int(blob.maximumFailedAttempts) == vector.number("maxFailedAttempts"))
            #expect(try Int(blob.lookAhead) == vector.number("ctrLookAhead"))
            #expect(try Int(blob.counterByte) == vector.number("ctrByte"))
            #expect(try blob.counterHash == vector.bytes("ctrDataHash"))
            let distance = try vector.number("counterDistance")
            if distance >= 0 {
                let counter = HashCounter(try vector.bytes("ctrData")).advanced(by: distance)
                #expect(try StatusBlob.hash(of: counter, transportKey: transportKey) == blob.counterHash)
            }
        }
    }

    @Test(arguments: Device.Version.allCases, Scope.allCases)
    func `encrypted exchanges are right in every version and scope`(
        _ version: Device.Version, _ scope: Scope
    ) throws {
        let number = version.rawValue.filter { $0 != "." }
        let file = "v3-e2ee/E2ee_\(scope.rawValue.capitalized)_Scope_Test_Vectors_\(number).json"
        for vector in try VectorFile.entries(file) {
            var context = EnvelopeContext(
                version: version, applicationKey: try vector.text("applicationKey"),
                applicationSecret: try vector.text("applicationSecret"),
                temporaryKeyID: vector.optional("temporaryKeyId"))
            if scope == .activation {
                context.activation = (try vector.text("activationId"), try vector.bytes("transportKey"))
            }
            #expect(try context.base == vector.bytes("sharedInfo2Base"))
            let ephemeral = try vector.bytes("requestEphemeralPublicKey")
            let envelope = Envelope(
                keys: EnvelopeKeys(try vector.bytes("envelopeKey")), context: context, ephemeral: ephemeral)
            let nonce = version == .v30 ? [] : try vector.bytes("requestNonce")
            let timestamp = version < .v32 ? 0 : try vector.number("timestampRequest")

            let request = try envelope.seal(
                Array(vector.text("requestData").utf8), nonce: nonce, timestamp: timestamp)
            #expect(try request.ciphertext == vector.bytes("encryptedDataRequest"))
            #expect(try request.mac == vector.bytes("requestMac"))

            let response = SealedMessage(
                ciphertext: try vector.bytes("encryptedDataResponse"), mac: try vector.bytes("responseMac"),
                nonce: version < .v32 ? nil : try vector.bytes("responseNonce"),
                timestamp: version < .v32 ? nil : try vector.number("timestampResponse"))
            let answer = try envelope.open(response, requestNonce: nonce)
            #expect(try String(decoding: answer, as: UTF8.self) == vector.text("responseData"))
        }
    }
}
