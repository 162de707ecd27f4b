import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import Testing
import TestKit

@testable import MIRACL

/// `POST /rps/v2/dvsregister` with the token of a proof with scope `dvs-reg`.
@Suite struct RegisterSigningKeyTests {
    private let bench: TestBench<MIRACL>
    private let phone: Phone
    private let z = number("signing z")

    init() throws {
        bench = try .shop()
        phone = try Phone(bench)
    }

    private func token() throws -> String {
        let members = try phone.authenticate(scope: ["dvs-reg"]).object()["dvsRegister"]?.object ?? [:]
        #expect(members["curve"] == "BN254CX")
        return try text(members, "token")
    }

    private func register(_ token: String, _ key: String? = nil, _ headers: Headers = [:]) throws -> Response
    {
        let key = try key ?? Hex.encode(Client.publicKey(for: z).bytes)
        return bench.call(
            .post, "/rps/v2/dvsregister",
            [
                "publicKey": .string(key), "deviceName": "Ada's phone, to sign",
                "dvsRegisterToken": .string(token),
            ], headers)
    }

    @Test func `a signing identity of its own comes of the token, and signs`() throws {
        let answer = try register(token()).object()
        #expect(Set(answer.keys) == ["mpinId", "dvsClientSecretShare", "cs2url", "curve", "dtas"])
        #expect(answer["curve"] == "BN254CX")
        let mpinID = try text(answer, "mpinId")
        let id = try JSONValue(parsing: #require(Hex.decode(mpinID)))
        #expect(id["userID"] == "ada@example.com")
        #expect(id["scope"] == ["dvs"])
        #expect(id["vt"] == "dvs")

        var signer = phone
        signer.mpinID = mpinID
        signer.publicKey = try Client.publicKey(for: z)
        signer.client = try Phone.client(answer, mpinID, signer.publicKey, z, on: bench)
        #expect(try signer.authenticate(scope: ["dvs-auth"]).status == .ok)
        let now = VerifySignatureTests.now
        let verified = bench.call(
            .post, "/dvs/verify",
            [
                "signature": .object(try signer.signature(of: VerifySignatureTests.hash, at: now)),
                "timestamp": .integer(now),
            ], ["Authorization": Shop.basic])
        #expect(verified.status == .ok)

        #expect(try phone.authenticate().status == .ok, "the login identity is another one")
        let made = try #require(bench.world.database.read { db in try Identity.find(mpinID, in: db) })
        #expect(made.deviceName == "Ada's phone, to sign")
        #expect(made.purpose == .signing)
        #expect(made.origin == .renewal)
    }

    @Test func `a token is good once`() throws {
        let token = try token()
        #expect(try register(token).status == .ok)
        #expect(try register(token).isRefusal(.forbidden, "FORBIDDEN", "Invalid token"))
        #expect(bench.explanation?.contains("it was already used") == true)
    }

    @Test func `a token that nobody was given, or that is old or of another project, is refused`() throws {
        #expect(
            try register("0123").isRefusal(.forbidden, "FORBIDDEN", "Invalid token"))
        #expect(bench.explanation == "The dvsRegisterToken is not good: it was never issued.")
        let token = try token()
        #expect(
            try register(token, nil, ["X-MIRACL-CID": "bank"]).isRefusal(
                .forbidden, "FORBIDDEN", "Invalid token"))
        bench.time.advance(seconds: 3600)
        #expect(try register(token).isRefusal(.forbidden, "FORBIDDEN", "Invalid token"))
        #expect(bench.explanation?.contains("it expired at") == true)
    }

    @Test func `a key that is none leaves the token good`() throws {
        let token = try token()
        for key in ["00", String(repeating: "1", count: 256), ""] {
            #expect(try register(token, key).isRefusal(of: "publicKey"))
        }
        #expect(
            bench.call(.post, "/rps/v2/dvsregister", ["publicKey": .string(phone.keyText)]).isRefusal(
                of: "dvsRegisterToken"))
        #expect(try register(token).status == .ok)
    }
}
