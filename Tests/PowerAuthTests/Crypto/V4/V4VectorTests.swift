import Crypto
import Essentials
import PostQuantum
import Testing

@testable import PowerAuth

/// The vectors of protocol 4.0, as the server computes.
@Suite struct V4VectorTests {
    @Test(arguments: V4Row.all("kdf"))
    func `keys are derived by labels`(_ row: V4Row) throws {
        let key = try V4.derive(
            row.bytes("key"), row.text("label"), diversifier: row.bytes("diversifier"),
            count: row.number("size"))

        #expect(try key == row.bytes("derivedKey"))
    }

    @Test(arguments: V4Row.all("aead"))
    func `messages are sealed and opened`(_ row: V4Row) throws {
        let (key, context) = (try row.bytes("key"), try row.bytes("keyContext"))
        let (associated, plaintext) = (try row.bytes("associatedData"), try row.bytes("plaintext"))
        let sealed = try V4.SealedBytes.seal(
            plaintext, key: key, context: context, iv: row.bytes("nonce"), associated: associated)

        #expect(try sealed.bytes == row.bytes("ciphertext"))
        #expect(try sealed.open(key: key, context: context, associated: associated) == plaintext)
        for place in sealed.bytes.indices {
            var bent = sealed.bytes
            bent[place] ^= 1
            #expect(throws: ProtocolFault.self) {
                try V4.SealedBytes(bytes: bent).open(key: key, context: context, associated: associated)
            }
        }
        #expect(throws: ProtocolFault.self) {
            try sealed.open(key: key, context: context + [0], associated: associated)
        }
        #expect(throws: ProtocolFault.self) {
            try sealed.open(key: key, context: context, associated: associated + [0])
        }
        #expect(throws: ProtocolFault.self) {
            try V4.SealedBytes(bytes: Array(sealed.bytes.prefix(43))).open(
                key: key, context: context, associated: associated)
        }
    }

    /// The vectors are the device's side: its keys are known, what the server drew is not.
    @Test(arguments: V4Row.all("shared-secret"))
    func `secrets are combined`(_ row: V4Row) throws {
        let label = Array("DHKEM-P384".utf8)
        let (keys, suite) = (try row.list("response.encapsulatedKeys"), try row.suite())
        let request = try V4.SharedSecretRequest(row.at("request"))
        let own = try PrivateKey(pkcs8: row.bytes("ecPrivateKey"))

        #expect(request.suite == suite)
        #expect(try request.point.x962 == own.publicKey.x962())
        var secrets = [
            try HPKE(.p384).receive(
                CurvePoint(.p384, x962: keys[0]), by: own, info: label, exporting: label, count: 48)
        ]
        if let set = suite.encapsulation {
            let pair = try MLKEM.DecapsulationKey(
                set, expanded: Array(row.bytes("mlkemPrivateKey").suffix(set.decapsulationKeyCount)))
            #expect(pair.encapsulationKey == request.encapsulationKey)
            secrets.append(try pair.decapsulate(keys[1]))
        }
        #expect(
            try V4.SharedSecret.combine(secrets, salt: row.bytes("response.salt"), suite)
                == row.bytes("sharedSecret"))
    }

    @Test(arguments: V4Row.all("counter"))
    func `a counter steps by its hash`(_ row: V4Row) throws {
        let values = try row.list("ctrData")
        let first = try V4.Counter(values[0])

        #expect(values.indices.map { first.advanced(by: $0).data } == values)
    }

    @Test(arguments: V4Row.all("token-digest"))
    func `a token shows its secret`(_ row: V4Row) throws {
        let digest = try V4.tokenDigest(
            row.bytes("tokenSecret"), nonce: Nonce(row.bytes("nonce")), timestamp: row.text("timestamp"))

        #expect(try digest == row.bytes("tokenDigest"))
    }

    @Test(arguments: V4Row.all("own-auth-code"))
    func `codes have a component for each factor`(_ row: V4Row) throws {
        let components = try V4.Code.components(
            row.list("factorKeys"), V4.Counter(row.bytes("ctrData")), NormalizedData(row.bytes("data")))

        #expect(try V4.Code.online(components) == row.text("online"))
        #expect(try V4.Code.offline(components, digits: row.number("length")) == row.text("offline"))
    }

    @Test(arguments: V4Row.all("own-activation"))
    func `keys, fingerprint and status follow from the secret`(_ row: V4Row) throws {
        let keys = V4.ActivationKeys(secret: try row.bytes("activationSecret"))
        let derived = [
            "possession": try keys.factor(.possession), "knowledge": try keys.factor(.knowledge),
            "biometry": try keys.factor(.biometry), "status": try keys.status(),
            "ctr-data": try keys.counterData(), "get-act-temp-key": try keys.temporaryKeyRequest(),
            "personalized-data": try keys.personalizedData(), "key-e2ee-sh2": try keys.sharedInfo2(),
            "KEK_DEVICE_PRIVATE": try keys.devicePrivate(),
            "KDK_APP_VAULT_KNOWLEDGE": try keys.applicationVaultOfKnowledge(),
            "KDK_APP_VAULT_2FA": try keys.applicationVaultOfTwoFactors(),
        ]
        for (name, key) in derived { #expect(try key == row.bytes("keys." + name), "\(name)") }

        #expect(
            try V4.fingerprint(
                row.suite(), device: row.signingKeys("devicePublicKeys"),
                activationID: row.text("activationId"), server: row.signingKeys("serverPublicKeys"))
                == row.text("fingerprint"))
        let status = V4.Status(
            state: try #require(StatusBlob.State(rawValue: UInt8(row.number("status.state")))),
            flags: V4.Status.Flags(rawValue: UInt8(try row.number("status.flags"))), failedAttempts: 0,
            maxFailedAttempts: 5, lookAhead: 20, counter: try row.number("status.counter"),
            counterData: try V4.Counter(row.bytes("status.ctrData")))
        #expect(try status.bytes(keys) == row.bytes("status.blob"))
    }

    @Test(arguments: V4Row.all("own-encryption"))
    func `requests are opened and answered`(_ row: V4Row) throws {
        let (purpose, secret) = (try row.text("sharedInfo1"), try row.bytes("temporarySecret"))
        let (key, shared) = (
            try ApplicationKey(row.text("applicationKey")),
            try ApplicationSecret(row.text("applicationSecret"))
        )
        let binding =
            try row.json["activationId"]?.string.map {
                try V4.MessageBinding(key, shared, activationID: $0, sharedInfo2: row.bytes("sharedInfo2Key"))
            } ?? V4.MessageBinding(key, shared)
        let request = try V4.EncryptedRequest(row.at("request"))

        #expect(
            try request.open(purpose, secret: secret, binding) == Array(row.text("requestData").utf8))
        #expect(
            try request.answer(
                Array(row.text("responseData").utf8), purpose, secret: secret, binding,
                milliseconds: row.number("response.timestamp")) == row.at("response"))
        #expect(throws: ProtocolFault.self) { try request.open(purpose + "/", secret: secret, binding) }
    }

    @Test(arguments: V4Row.all("temporary-key-request"))
    func `requests for temporary keys are signed`(_ row: V4Row) throws {
        let token = try V4.KeyedToken(unverified: row.text("jwt"))

        #expect(try token.isAuthentic(row.bytes("key")))
        #expect(!token.isAuthentic([UInt8](repeating: 0, count: 32)))
        // The claims are those of June 2025: the request of the release has other members.
        #expect(throws: ProtocolFault.self) { try V4.TemporaryKeyRequest(token) }
    }

    @Test(arguments: V4Row.all("temporary-key-jws"))
    func `answers are signed by every key of the suite`(_ row: V4Row) throws {
        let payload = try row.text("jws.payload")
        for entry in try #require(row.at("jws.signatures").array) {
            let head = try #require(entry["protected"]?.string)
            let signature = try #require(entry["signature"]?.string.flatMap { Base64URL.decode($0) })
            let message = Array("\(head).\(payload)".utf8)
            if head == Base64URL.encode(Array(#"{"alg":"ES384"}"#.utf8)) {
                let key = try PublicKey(.p384, x962: row.bytes("publicKeys.ES384"))
                #expect(key.isValid(signature, for: message, with: .es384))
            } else {
                #expect(head == Base64URL.encode(Array(#"{"alg":"ML-DSA-65"}"#.utf8)))
                let key = try MLDSA.VerificationKey(
                    .mldsa65, subjectPublicKeyInfo: row.bytes("publicKeys.ML-DSA-65"))
                #expect(key.isValid(signature, for: message))
            }
        }
    }
}
