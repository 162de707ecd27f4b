import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import Testing
import TestKit

@testable import MIRACL

/// New secrets for identities whose old ones were replaced.
@Suite struct RenewalTests {
    private let bench: TestBench<MIRACL>

    init() throws { bench = try .shop() }

    /// The project gets other master shares and remembers the old ones.
    private func rotate() throws {
        try bench.platform.perform("rotate", onRecord: "shop", [:])
    }

    private func flag(_ phone: Phone) throws {
        try bench.platform.perform("renew", onRecord: hash(phone), [:])
    }

    private func hash(_ phone: Phone) throws -> String {
        Hex.encode(Digest.sha256(try #require(Hex.decode(phone.mpinID))))
    }

    private func members(_ response: Response) throws -> [String: JSONValue] {
        #expect(response.status == .ok)
        return try response.object()
    }

    @Test func `an identity without a key pair is renewed in place`() throws {
        var phone = try Phone(bench)
        let before = phone.dtas
        try rotate()
        let answer = try members(phone.authenticate(scope: ["otp"]))
        #expect(Set(answer.keys) == ["status", "message", "renewSecret"], "the proof brings nothing else")
        let renewed = try #require(answer["renewSecret"]?.object)
        #expect(Set(renewed.keys).isSuperset(of: ["clientSecretShare", "cs2url", "curve", "dtas"]))
        // client-js 4.4.0 takes its id from here.
        #expect(renewed["mpin_id"] == .string(phone.mpinID))

        let old = phone
        phone.client = try Phone.client(renewed, phone.mpinID, nil, nil, on: bench)
        phone.dtas = try text(renewed, "dtas")
        #expect(phone.dtas != before)
        #expect(try members(phone.authenticate(scope: ["otp"]))["otp"] != nil)
        #expect(try old.authenticate().status == .unauthorized, "the old secrets are good no more")
        let sentence = try #require(bench.explanation)
        #expect(sentence.contains("secrets of the previous master shares"), "\(sentence)")
        #expect(sentence.contains("2 attempts are left"), "\(sentence)")
        #expect(bench.journal.contains { $0.event == "identity renewed" })
    }

    @Test func `a renewal on demand happens once`() throws {
        let phone = try Phone(bench)
        try flag(phone)
        #expect(try members(phone.authenticate())["renewSecret"] != nil)
        #expect(try members(phone.authenticate())["renewSecret"] == nil)
    }

    @Test func `an identity with a key pair registers another one under the same id`() throws {
        var phone = try Phone(bench, key: number("z"))
        try rotate()
        let answer = try members(phone.authenticate(wam: true))
        #expect(Set(answer.keys) == ["status", "message", "dvsRegister"], "the proof brings nothing else")
        #expect(try members(phone.authenticate())["dvsRegister"] != nil, "as long as it is not renewed")

        let (z, old) = (number("new z"), phone)
        let key = try Client.publicKey(for: z)
        let shares = try members(
            bench.call(
                .post, "/rps/v2/dvsregister",
                [
                    "publicKey": .string(Hex.encode(key.bytes)),
                    "dvsRegisterToken": answer["dvsRegister"]?["token"] ?? .null,
                ]))
        #expect(shares["mpinId"] == .string(phone.mpinID))
        phone.publicKey = key
        phone.client = try Phone.client(shares, phone.mpinID, key, z, on: bench)
        phone.dtas = try text(shares, "dtas")
        #expect(try members(phone.authenticate(wam: true))["jwt"] != nil)
        #expect(try old.authenticate().status == .forbidden, "the old key is good no more")
    }

    @Test func `a client that never heard the answer keeps its secrets, however often it proves itself`()
        throws
    {
        var phone = try Phone(bench)
        try rotate()
        for _ in 1...4 { #expect(try members(phone.authenticate())["renewSecret"] != nil) }
        let wrong = try phone.authenticate(pin: Phone.pin + 2)
        #expect(wrong.status == .unauthorized)
        #expect(bench.explanation?.hasPrefix("The PIN is off by +2. 2 attempts are left") == true)

        let renewed = try #require(members(phone.authenticate())["renewSecret"]?.object)
        phone.client = try Phone.client(renewed, phone.mpinID, nil, nil, on: bench)
        phone.dtas = try text(renewed, "dtas")
        #expect(try phone.authenticate(pin: Phone.pin - 1).status == .unauthorized)
        #expect(bench.explanation?.hasPrefix("The PIN is off by -1.") == true)
        #expect(try members(phone.authenticate())["renewSecret"] == nil)
    }

    @Test func `a client without a scope cannot be renewed, and hears that its secret expired`() throws {
        let phone = try Phone(bench)
        try rotate()
        let before = try stored(phone)
        let refused = try phone.authenticate(scope: [])
        #expect(
            refused.isRefusal(.conflict, "CLIENT_SECRET_EXPIRED", "The client secret has expired"))
        #expect(bench.explanation?.contains("secrets of the previous master shares") == true)
        #expect(try stored(phone) == before)
        #expect(try phone.authenticate(pin: 1, scope: []).status == .unauthorized)
    }

    private func stored(_ phone: Phone) throws -> Identity? {
        try bench.world.database.read { db in try Identity.find(phone.mpinID, in: db) }
    }

    @Test func `a key pair is replaced by the first good proof with the new one`() throws {
        let old = try Phone(bench, key: number("z"))
        let signature = try old.signature(of: VerifySignatureTests.hash, at: VerifySignatureTests.now)
        try rotate()
        for name in ["lost z", "new z"] {
            let token = try #require(
                members(old.authenticate(wam: true))["dvsRegister"]?["token"]?.string, "\(name)")
            var phone = old
            let key = try Client.publicKey(for: number(name))
            let shares = try members(
                bench.call(
                    .post, "/rps/v2/dvsregister",
                    [
                        "publicKey": .string(Hex.encode(key.bytes)), "dvsRegisterToken": .string(token),
                    ]))
            phone.publicKey = key
            phone.client = try Phone.client(shares, phone.mpinID, key, number(name), on: bench)
            phone.dtas = try text(shares, "dtas")
            if name == "new z" { #expect(try members(phone.authenticate(wam: true))["jwt"] != nil) }
        }
        let refused = try old.authenticate()
        #expect(refused.isRefusal(.forbidden, "FORBIDDEN", "Forbidden"))
        #expect(bench.explanation?.contains("before its renewal") == true, "\(bench.explanation ?? "")")

        bench.time.advance(seconds: 60)
        #expect(verify(signature, at: VerifySignatureTests.now).status == .ok, "made before the renewal")
        let late = VerifySignatureTests.now + 30
        let refusedLate = verify(try old.signature(of: VerifySignatureTests.hash, at: late), at: late)
        #expect(refusedLate.status == .forbidden)
        #expect(
            bench.explanation?.contains("good for signatures until") == true, "\(bench.explanation ?? "")")
    }

    private func verify(_ signature: [String: JSONValue], at timestamp: Int) -> Response {
        bench.call(
            .post, "/dvs/verify", ["signature": .object(signature), "timestamp": .integer(timestamp)],
            ["Authorization": Shop.basic])
    }

    @Test func `client-js 8 registers anew with the token, and the old identity ends at its first proof`()
        throws
    {
        let phone = try Phone(bench, key: number("z"))
        let signature = try phone.signature(of: VerifySignatureTests.hash, at: VerifySignatureTests.now)
        try flag(phone)
        let token = try #require(members(phone.authenticate(wam: true))["dvsRegister"]?["token"]?.string)
        let browser = try Phone(
            on: bench, user: phone.userID, activationToken: token, secretExponent: number("new z"))
        #expect(browser.mpinID != phone.mpinID)
        #expect(try phone.authenticate().status == .ok, "nobody proved yet that the new one arrived")

        #expect(try browser.authenticate().status == .ok)

        #expect(try phone.authenticate().status == .gone)
        #expect(
            bench.explanation?.contains("replaced it at its renewal") == true, "\(bench.explanation ?? "")")
        #expect(verify(signature, at: VerifySignatureTests.now).status == .ok, "made before the renewal")
        bench.time.advance(seconds: 60)
        let late = VerifySignatureTests.now + 30
        #expect(
            verify(try phone.signature(of: VerifySignatureTests.hash, at: late), at: late).status == .gone)
    }

    @Test func `a renewal under way outlives an export`() throws {
        let phone = try Phone(bench, key: number("z"))
        try rotate()
        let token = try #require(members(phone.authenticate(wam: true))["dvsRegister"]?["token"]?.string)
        _ = bench.call(
            .post, "/rps/v2/dvsregister",
            [
                "publicKey": .string(Hex.encode(try Client.publicKey(for: number("new z")).bytes)),
                "dvsRegisterToken": .string(token),
            ])
        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        let other = try TestBench(MIRACL.self, fixtures: exported)
        #expect(String(decoding: try other.worlds.export(other.world), as: UTF8.self) == exported)
        #expect(exported.contains("offered"))
    }

    @Test func `documents signed with the old secrets can still be verified`() throws {
        let phone = try Phone(bench, key: number("z"))
        let now = VerifySignatureTests.now
        let signature = try phone.signature(of: VerifySignatureTests.hash, at: now)
        try rotate()
        let answer = bench.call(
            .post, "/dvs/verify", ["signature": .object(signature), "timestamp": .integer(now)],
            ["Authorization": Shop.basic])
        #expect(answer.status == .ok)
    }

    @Test func `secrets of shares that the project forgot are refused, and the journal says so`() throws {
        let phone = try Phone(bench, key: number("z"))
        let now = VerifySignatureTests.now
        let signature = try phone.signature(of: VerifySignatureTests.hash, at: now)
        try bench.platform.changeProject("shop") { $0.firstShare = Shop.secondShare }

        let refused = try phone.authenticate()
        #expect(refused.isRefusal(.conflict, "EXPIRED_MPINID", "The client secret has expired"))
        let verified = bench.call(
            .post, "/dvs/verify", ["signature": .object(signature), "timestamp": .integer(now)],
            ["Authorization": Shop.basic])
        #expect(verified.isRefusal(.unauthorized, "UNAUTHORIZED", "The signature is wrong"))
        #expect(bench.explanation?.contains("master shares that the project does not have") == true)
    }
}
