import Crypto
import DeviceKit
import Essentials
import PostQuantum
import Testing

@testable import PowerAuthDevice

/// The vectors of protocol 4.0, as the device computes.
@Suite struct Protocol4Tests {
    /// The rows of a file of `v4`.
    private func rows(_ file: String) throws -> [JSONValue] {
        let rows = try #require(VectorFile.json("v4/\(file).json")["rows"]?.array)
        #expect(!rows.isEmpty)
        return rows
    }

    private func list(_ json: JSONValue, _ path: String) throws -> [[UInt8]] {
        try #require(json.at(path).strings).map { try #require(Base64.decode($0)) }
    }

    private func number(_ json: JSONValue, _ path: String) throws -> Int {
        try #require(json.at(path).integer, "\(path)")
    }

    @Test func `keys are derived by labels`() throws {
        for row in try rows("kdf") {
            let key = try Protocol4.key(
                row.base64("key"), row.string("label"), row.base64("diversifier"), count: number(row, "size"))
            #expect(try key == row.base64("derivedKey"))
        }
    }

    @Test func `messages are sealed`() throws {
        for row in try rows("aead") {
            let sealed = try Protocol4.seal(
                row.base64("plaintext"), row.base64("key"), context: row.base64("keyContext"),
                iv: row.base64("nonce"), associated: row.base64("associatedData"))
            #expect(try sealed == row.base64("ciphertext"))
        }
    }

    @Test func `the device finds the secret that the server told`() throws {
        for row in try rows("shared-secret") {
            let algorithm = try #require(Protocol4.Algorithm(rawValue: row.string("algorithm")))
            let pem =
                "-----BEGIN PRIVATE KEY-----\n\(try row.string("ecPrivateKey"))\n-----END PRIVATE KEY-----\n"
            let lattice = try algorithm.exchange.map { set in
                try MLKEM.DecapsulationKey(
                    set, expanded: row.base64("mlkemPrivateKey").suffix(set.decapsulationKeyCount))
            }
            let exchange = try Protocol4.SecretExchange(
                algorithm, point: PrivateKey(pem: pem), lattice: lattice)

            #expect(try exchange.request() == row.at("request"))
            #expect(try exchange.secret(row.at("response")) == row.base64("sharedSecret"))
            #expect(throws: DeviceError.self) { try exchange.secret(["salt": row.at("response.salt")]) }
            #expect(throws: DeviceError.self) { try exchange.secret(nil) }
        }
    }

    @Test func `a counter steps by its hash`() throws {
        for row in try rows("counter") {
            let values = try list(row, "ctrData")
            for (one, next) in zip(values, values.dropFirst()) { #expect(Protocol4.step(one) == next) }
        }
    }

    @Test func `a token shows its secret`() throws {
        for row in try rows("token-digest") {
            let digest = try Protocol4.tokenDigest(
                row.base64("tokenSecret"), nonce: row.base64("nonce"), timestamp: row.string("timestamp"))
            #expect(try digest == row.base64("tokenDigest"))
        }
    }

    @Test func `codes have a component for each factor`() throws {
        for row in try rows("own-auth-code") {
            let components = try Protocol4.components(
                list(row, "factorKeys"), counter: row.base64("ctrData"), data: row.base64("data"))
            #expect(try Base64.encode(Array(components.joined())) == row.string("online"))
            #expect(
                try AuthenticationCode.decimal(components, digits: number(row, "length"))
                    == row.string("offline"))
        }
    }

    @Test func `keys, fingerprint and status follow from the secret`() throws {
        let names: [(Protocol4.SecretKeys, String)] = [
            (.possession, "possession"), (.knowledge, "knowledge"), (.biometry, "biometry"),
            (.status, "status"), (.counterData, "ctr-data"), (.temporaryKeyRequest, "get-act-temp-key"),
            (.personalizedData, "personalized-data"), (.sharedInfo2, "key-e2ee-sh2"),
            (.devicePrivate, "KEK_DEVICE_PRIVATE"), (.applicationVaultKnowledge, "KDK_APP_VAULT_KNOWLEDGE"),
            (.applicationVaultTwoFactors, "KDK_APP_VAULT_2FA"),
        ]
        #expect(Set(names.map(\.0)) == Set(Protocol4.SecretKeys.allCases))
        for row in try rows("own-activation") {
            let secret = try row.base64("activationSecret")
            for (key, name) in names {
                #expect(try key.derived(from: secret) == row.base64("keys." + name), "\(name)")
            }
            func keys(_ side: String) throws -> (PublicKey, [UInt8]) {
                let second = try row.at(side)["mldsa"]?.string
                return (
                    try PublicKey(.p384, x962: row.base64(side + ".ecdsa")),
                    try second.map { try #require(Base64.decode($0)) } ?? []
                )
            }
            #expect(
                try Protocol4.fingerprint(
                    #require(Protocol4.Algorithm(rawValue: row.string("algorithm"))),
                    device: keys("devicePublicKeys"), activationID: row.string("activationId"),
                    server: keys("serverPublicKeys")) == row.string("fingerprint"))
            try checkStatus(row, secret)
        }
    }

    private func checkStatus(_ row: JSONValue, _ secret: [UInt8]) throws {
        let blob = try row.base64("status.blob")
        let key = try Protocol4.SecretKeys.status.derived(from: secret)
        let status = try Protocol4.Status(blob, key: key)

        #expect(try Int(status.state) == number(row, "status.state"))
        #expect(try Int(status.flags) == number(row, "status.flags"))
        #expect(try Int(status.counterByte) == number(row, "status.counter") % 256)
        #expect([status.failedAttempts, status.maximumFailedAttempts, status.lookAhead] == [0, 5, 20])
        #expect([status.currentVersion, status.upgradeVersion] == [4, 4])
        #expect(
            try status.counterCode
                == Protocol4.Status.counterCode(
                    HashCounter(row.base64("status.ctrData")),
                    key: Protocol4.SecretKeys.counterData.derived(from: secret)))
        for place in blob.indices {
            var bent = blob
            bent[place] ^= 1
            #expect(throws: DeviceError.self) { try Protocol4.Status(bent, key: key) }
        }
    }

    @Test func `requests are sealed and answers opened`() throws {
        for row in try rows("own-encryption") {
            let activation = try row["activationId"]?.string.map {
                (id: $0, sharedInfo2: try row.base64("sharedInfo2Key"))
            }
            let message = Protocol4.Message(
                purpose: try row.string("sharedInfo1"),
                temporaryKeyID: try row.string("request.temporaryKeyId"),
                secret: try row.base64("temporarySecret"),
                configuration: (try row.string("applicationKey"), try row.base64("applicationSecret")),
                activation: activation, nonce: try row.base64("request.nonce"))

            let sealed = try message.request(
                Array(row.string("requestData").utf8), milliseconds: number(row, "request.timestamp"))
            #expect(try sealed == row.at("request"))
            #expect(try message.answer(row.at("response")) == Array(row.string("responseData").utf8))
            var late = try #require(row.at("response").object)
            late["timestamp"] = .integer(1)
            #expect(throws: DeviceError.self) { try message.answer(.object(late)) }
            #expect(throws: DeviceError.self) { try message.answer(sealed) }
        }
    }

    @Test func `an answer is signed by every key of the algorithm`() throws {
        for row in try rows("temporary-key-jws") {
            let point = try PublicKey(.p384, x962: row.base64("publicKeys.ES384"))
            let second = try row.at("publicKeys")["ML-DSA-65"]?.string.map {
                try MLDSA.VerificationKey(.mldsa65, subjectPublicKeyInfo: #require(Base64.decode($0)))
            }
            let jws = try row.at("jws")
            let claims = try Protocol4.SignedAnswer.claims(jws, by: (point, second))
            #expect(claims["applicationKey"]?.string != nil)

            var bent = try #require(jws.object)
            bent["payload"] = .string(Base64URL.encode(Array("{}".utf8)))
            #expect(throws: DeviceError.self) {
                try Protocol4.SignedAnswer.claims(.object(bent), by: (point, second))
            }
            bent = try #require(jws.object)
            bent["signatures"] = .array(Array(try #require(jws["signatures"]?.array).dropLast()))
            #expect(throws: DeviceError.self) {
                try Protocol4.SignedAnswer.claims(.object(bent), by: (point, second))
            }
        }
    }
}
