import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

@Suite struct AccountTests {
    private func enrolled(_ count: Int = 1) throws -> (TestBench<NextAuth>, Device, BackEnd) {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        for number in 1...count { try device.enrol(try backEnd.enrolmentCode("nonce \(number)")) }
        return (bench, device, backEnd)
    }

    private func delete(_ account: Int, _ device: Device, type: String = "DELETE_ACCOUNT") throws -> Response
    {
        let challenge = try #require(try device.post("/instance/challenge")["challenge"]?.string)
        let signature = try device.sign(
            #require(device.keys[account]), id: device.instanceID, type: type, challenge: challenge,
            subject: String(account))
        return device.send(.delete, "/accounts/\(account)", ["signature": .string(signature)])
    }

    @Test func `the device deletes an account; the last one takes the PIN along`() throws {
        let (_, device, backEnd) = try enrolled(2)
        #expect(try delete(1, device).status == .noContent)
        #expect(try device.get("/accounts").array?.compactMap { $0["accountid"]?.integer } == [2])
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "SET")
        #expect(try backEnd.session("nonce 1").state == .loggedOut)
        #expect(try backEnd.session("nonce 2").state == .loggedIn)

        #expect(try delete(2, device).status == .noContent)
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "UNSET")
        #expect(try device.get("/accounts") == [])
    }

    @Test func `a deletion is signed, for one challenge`() throws {
        let (_, device, _) = try enrolled()
        #expect(try delete(1, device, type: "CHANGE_PIN").fields["code"] == "BAD_SIGNATURE")
        let without = device.send(.delete, "/accounts/1", ["signature": "AA"])
        #expect(without.status == .conflict)
        #expect(
            without.fields == [
                "code": "WRONG_STATE", "number": "37", "message": "The step does not fit the state",
            ])
        #expect(try device.get("/accounts").array?.count == 1)
    }

    @Test func `the server deletes an account, and the device hears of it`() throws {
        let (_, device, backEnd) = try enrolled()
        try backEnd.delete(1)
        let events = try device.get("/events")["events"]?.array
        #expect(
            events?.compactMap { $0["type"]?.string } == ["SESSION_STOP", "ACCOUNT_DELETED", "MESSAGE"])
        #expect(events?[1]["accountid"] == 1)
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "UNSET")
        #expect(try backEnd.session("nonce 1").state == .loggedOut)
        #expect(try !backEnd.canProvoke("nonce 1"))
    }

    @Test func `an id is never used again`() throws {
        var (bench, device, backEnd) = try enrolled()
        try backEnd.delete(1)
        try device.enrol(try backEnd.enrolmentCode("later"))
        #expect(try device.get("/accounts").array?.first?["accountid"] == 2)
        try backEnd.delete(2)

        let exported = try bench.worlds.export(bench.world)
        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
        try device.enrol(try backEnd.enrolmentCode("last"))
        #expect(try device.get("/accounts").array?.first?["accountid"] == 3)
    }

    @Test func `a blocked account logs nobody in, and its sessions end`() throws {
        let (bench, device, backEnd) = try enrolled()
        try backEnd.block(1)
        #expect(try backEnd.session("nonce 1").state == .loggedOut)
        for wish in [
            ["type": "APPLOGIN"], ["type": "LOGIN", "data": .string(try backEnd.loginCode())],
        ] as [JSONValue] {
            let refused = device.send(.post, "/flows", wish)
            #expect(refused.status == .forbidden)
            #expect(
                refused.fields == [
                    "code": "ACCOUNT_BLOCKED", "number": "30", "message": "The account is blocked",
                ])
        }
        #expect(bench.explanation?.contains("blocked=false") == true)
        try backEnd.block(1, false)
        #expect(try device.start(["type": "APPLOGIN"]).state == "WAIT_FOR_INPUT")
    }

    @Test func `an account that is deleted in the middle of a login is gone`() throws {
        let (_, device, backEnd) = try enrolled()
        let flow = try device.start(["type": "APPLOGIN"])
        try backEnd.delete(1)
        let refused = device.send(
            .post, "/flows/\(flow.id)/complete", ["signature": .string(try device.sign(flow, 1))])
        #expect(refused.status == .notFound)
        #expect(
            refused.fields == ["code": "ACCOUNT_NOT_FOUND", "number": "31", "message": "No such account"])
    }

    @Test func `a wiped installation leaves nothing behind`() throws {
        let (bench, device, backEnd) = try enrolled()
        #expect(device.send(.delete, "/instance").status == .noContent)
        let gone = device.send(.get, "/instance")
        #expect(gone.status == .unauthorized)
        #expect(
            gone.fields == [
                "code": "UNAUTHORIZED", "number": "2", "message": "The device token is missing or unknown",
            ])
        #expect(try backEnd.session("nonce 1").state == .loggedOut)
        let count = try bench.world.database.read { try $0.all(Account.self).count }
        #expect(count == 0)
    }
}
