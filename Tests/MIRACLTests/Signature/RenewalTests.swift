import Crypto
import Essentials
import HTTP
import PlatformKit
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

        let old = phone
        phone.client = try Phone.client(renewed, phone.mpinID, nil, nil, on: bench)
        phone.dtas = try text(renewed, "dtas")
        #expect(phone.dtas != before)
        #expect(try members(phone.authenticate(scope: ["otp"]))["otp"] != nil)
        #expect(try old.authenticate().status == .unauthorized, "the old secrets are good no more")
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

    @Test func `client-js 8 registers anew with the token, and the old identity ends`() throws {
        let phone = try Phone(bench, key: number("z"))
        try flag(phone)
        let answer = try members(phone.authenticate(wam: true))
        let made = try members(
            bench.call(
                .post, "/registration",
                [
                    "userId": .string(phone.userID), "deviceName": "browser",
                    "activationToken": answer["dvsRegister"]?["token"] ?? .null,
                    "publicKey": .string(Hex.encode(try Client.publicKey(for: number("new z")).bytes)),
                ]))
        #expect(made["mpinId"] != .string(phone.mpinID))
        #expect(try phone.authenticate().status == .gone)
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
