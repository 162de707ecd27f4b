import Crypto
import Essentials
import PostQuantum
import Testing

@testable import PowerAuth

/// What protocol 4.0 refuses before any key is asked.
@Suite struct V4RefusalTests {
    private static let valid = V4Row.all("shared-secret").map(\.json)

    /// A request of a suite, with one member changed.
    private func request(
        _ suite: V4.Suite, algorithm: JSONValue? = nil, keys: ([JSONValue]) -> [JSONValue] = { $0 }
    ) throws -> JSONValue {
        let row = try #require(Self.valid.first { $0["algorithm"]?.string == suite.rawValue })
        let list = try #require(row["request"]?["encapsulationKeys"]?.array)
        return [
            "algorithm": algorithm ?? .string(suite.rawValue), "encapsulationKeys": .array(keys(list)),
        ]
    }

    @Test(arguments: ["LEGACY_P256", "ML_L3", "ML_L5", "ec_p384", "", "EC_P384_ML_L4"])
    func `a suite that is none is refused`(_ name: String) throws {
        let wish = try request(.p384, algorithm: .string(name))

        #expect(throws: ProtocolFault.self) { try V4.SharedSecretRequest(wish) }
    }

    @Test func `the number of keys is that of the suite`() throws {
        for (suite, other) in [(V4.Suite.p384, V4.Suite.p384WithMLKEM768), (.p384WithMLKEM768, .p384)] {
            let wish = try request(suite, algorithm: .string(other.rawValue))
            #expect(throws: ProtocolFault.self) { try V4.SharedSecretRequest(wish) }
        }
        #expect(throws: ProtocolFault.self) {
            try V4.SharedSecretRequest(request(.p384) { _ in [] })
        }
        #expect(throws: ProtocolFault.self) {
            try V4.SharedSecretRequest(["algorithm": "EC_P384", "encapsulationKeys": "text"])
        }
    }

    @Test func `a point that is not on the curve is refused`() throws {
        var point = try CurvePoint(PrivateKey.generate(.ec(.p384)).publicKey).x962
        point[96] ^= 1
        for bytes in [point, Array(point.dropLast()), [], [0]] {
            let wish = try request(.p384) { _ in [.string(Base64.encode(bytes))] }
            #expect(throws: ProtocolFault.self) { try V4.SharedSecretRequest(wish) }
        }
    }

    @Test func `a compressed point means the same`() throws {
        let key = try PrivateKey.generate(.ec(.p384)).publicKey
        let text = Base64.encode(try key.x962(compressed: true))
        let wish = try request(.p384) { _ in [.string(text)] }

        #expect(try V4.SharedSecretRequest(wish).point.x962 == key.x962())
    }

    /// Wrong length, wrong object identifier, a coefficient of 3329 and more.
    @Test func `a key of ML-KEM that is none is refused`() throws {
        let wish = try request(.p384WithMLKEM768)
        let text = try #require(wish["encapsulationKeys"]?.strings?.last)
        let info = try #require(Base64.decode(text))
        func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
            var bytes = info
            bytes[place] = value
            return bytes
        }
        var large = changed(22, 0xFF)
        large[23] |= 0x0F
        for bytes in [Array(info.dropLast()), info + [0], changed(16, 3), large, []] {
            let bent = try request(.p384WithMLKEM768) { [$0[0], .string(Base64.encode(bytes))] }
            #expect(throws: ProtocolFault.self) { try V4.SharedSecretRequest(bent) }
        }
    }

    private func encrypted(_ change: (inout [String: JSONValue]) -> Void) throws -> JSONValue {
        var members = try #require(V4Row.all("own-encryption")[0].at("request").object)
        change(&members)
        return .object(members)
    }

    @Test(arguments: ["temporaryKeyId", "encryptedData", "nonce", "timestamp"])
    func `an encrypted request has all its members`(_ name: String) throws {
        let without = try encrypted { $0[name] = nil }
        let other = try encrypted { $0[name] = .boolean(true) }

        #expect(throws: ProtocolFault.self) { try V4.EncryptedRequest(without) }
        #expect(throws: ProtocolFault.self) { try V4.EncryptedRequest(other) }
    }

    @Test func `the halves of a nonce differ, and the first is in the message`() throws {
        let nonce = try V4Row.all("own-encryption")[0].bytes("request.nonce")
        let twice = Array(nonce[..<12] + nonce[..<12])
        let foreign = Array(nonce[12...] + nonce[..<12])
        for bytes in [twice, foreign, Array(nonce.dropLast()), nonce + [0]] {
            let bent = try encrypted { $0["nonce"] = .string(Base64.encode(bytes)) }
            #expect(throws: ProtocolFault.self) { try V4.EncryptedRequest(bent) }
        }
    }
}
