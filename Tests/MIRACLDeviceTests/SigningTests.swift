import Crypto
import Essentials
import HTTP
import MIRACLDevice
import PlatformKit
import TestKit
import Testing

@Suite struct SigningTests {
    private static let hash = Hex.encode(Digest.sha256(Array("a document".utf8)))
    private static let other = Hex.encode(Digest.sha256(Array("another document".utf8)))

    @Test func `the native SDK signs with an identity and a PIN of their own`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        try device.registerSigning(pin: "5678", loginPIN: Stage.pin, using: stage.services)
        let signature = try device.sign(hash: Self.hash, pin: "5678", using: stage.services)
        #expect(try stage.verify(signature) == .ok)
        #expect(
            try refusal { _ = try device.sign(hash: Self.hash, pin: Stage.pin, using: stage.services) }
                == "401 INCORRECT_PIN 11")
        #expect(device.signing?.mpinID != device.identity?.mpinID)
    }

    @Test(arguments: [MIRACLDevice.Generation.olderTrust, .trust])
    func `Trust signs with the identity of the login`(_ generation: MIRACLDevice.Generation) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        #expect(
            try stage.verify(device.sign(hash: Self.hash, pin: Stage.pin, using: stage.services)) == .ok)
    }

    @Test func `a signature holds for its document, its time and its key`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        let eve = try stage.registered(.trust, user: "eve@example.org")
        let signature = try device.sign(hash: Self.hash, pin: Stage.pin, using: stage.services)
        let time = try #require(signature["timestamp"]?.integer)
        func changed(_ name: String, _ value: String?) throws -> JSONValue {
            var members = try #require(signature.object)
            members[name] = .string(try #require(value))
            return .object(members)
        }

        #expect(try stage.verify(changed("hash", Self.other)) == .unauthorized)
        #expect(try stage.verify(signature, timestamp: time - 1) == .unauthorized)
        #expect(try stage.verify(changed("publicKey", eve.identity?.publicKey)) == .forbidden)
        #expect(try stage.verify(changed("mpinId", "7b7d")) == .forbidden)
        #expect(try stage.verify(signature) == .ok)
    }

    @Test func `another document than the one that was shown is not signed`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        device.faults.signedHash = Self.other
        let signature = try device.sign(hash: Self.hash, pin: Stage.pin, using: stage.services)
        #expect(try stage.verify(signature) == .unauthorized)
    }

    @Test func `a signature from the future is refused`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        device.faults.timeShift = 3600
        let signature = try device.sign(hash: Self.hash, pin: Stage.pin, using: stage.services)
        #expect(try stage.verify(signature) != .ok)
    }

    @Test func `a back end's session is signed, and its page gets the signature`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        let session = try stage.openSession([
            "description": "Transfer", "hash": .string(Self.hash), "userId": .string(Stage.user),
        ])
        let code = try MIRACLDevice.accessCode(inQR: session.qr)
        try device.signSession(code, pin: Stage.pin, using: stage.services)
        let access = try stage.access(session.webOTT)
        #expect(access["status"] == "signed")
        let text = try #require(access["signature"]?.string)
        let told = try JSONValue(parsing: #require(Base64.decode(text)))
        #expect(try stage.verify(told) == .ok)
    }

    @Test func `a revoked identity signs and logs in no more`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        let id = try #require(device.identity).mpinID
        let revoked = try stage.bench.post(
            "/miracl/api/v1/projects/blue/mpinids/\(id)/revocation", ["reason": "lost"],
            headers: ["Authorization": "Bearer blue-token"])
        #expect(revoked.status == .ok)
        #expect(
            try refusal { _ = try device.sign(hash: Self.hash, pin: Stage.pin, using: stage.services) }
                == "410 AuthenticationException.Revoked")
        #expect(device.state == .blocked)
    }
}
