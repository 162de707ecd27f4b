import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

@Suite struct ActivationStatusTests {
    private struct Answer: Decodable {
        struct Object: Decodable {
            let activationId: String
            let encryptedStatusBlob: Data
            let nonce: Data?
        }

        let status: String
        let responseObject: Object
    }

    private func ask(_ bench: MobileBench, _ id: String, challenge: String? = "AAAAAAAAAAAAAAAAAAAAAA==")
        throws -> Answer
    {
        var object = ["activationId": id]
        object["challenge"] = challenge
        let response = try bench.bench.post(
            "/enrollment-server/pa/v3/activation/status", ["requestObject": object])
        #expect(response.status == .ok)
        return try response.json(Answer.self)
    }

    @Test func `who has no keys is answered with random bytes`() throws {
        let bench = try MobileBench()
        let (created, _) = try bench.register()
        let (removed, _) = try bench.register()
        _ = try bench.platform.change { turn in
            try bench.platform.activations.remove(
                try #require(try bench.platform.activations.find(removed, in: turn)), by: nil,
                revokingRecoveryCodes: false, in: turn)
        }
        for id in [created, removed, "0b0b0b0b-1111-4222-8333-444444444444", "nobody"] {
            let (one, other) = (try ask(bench, id), try ask(bench, id))
            #expect(one.responseObject.activationId == id)
            #expect(one.responseObject.encryptedStatusBlob.count == 32)
            #expect(one.responseObject.nonce?.count == 16)
            #expect(one.responseObject.encryptedStatusBlob != other.responseObject.encryptedStatusBlob)
            #expect(try ask(bench, id, challenge: nil).responseObject.nonce == nil)
        }
    }

    /// Nothing changes by them, so that no record tells whom they are about.
    @Test(arguments: [true, false])
    func `the journal says whose device asked, for keys and for user info too`(isOfFourth: Bool) throws {
        let bench = try MobileBench()
        let phone = try isOfFourth ? bench.activePhone4() : bench.activePhone()
        let id = try #require(phone.activation?.id)
        let before = bench.bench.world.journal.lastID
        _ = try phone.status()
        _ = try phone.userInfo()

        let asked = bench.bench.journal.filter { $0.id > before && $0.kind == .request }
        #expect(Set(asked.compactMap(\.exchange).map { $0.target.split(separator: "/").last }).count == 3)
        #expect(asked.allSatisfy { $0.users == ["ada"] })
        #expect(asked.allSatisfy { $0.subjects.contains(Subject(.activation, id)) })
    }

    // Every device sees this after a restart in memory, or a reset.
    @Test func `who is not there is told to the journal, with what can be done`() throws {
        let bench = try MobileBench()
        let (created, _) = try bench.register()
        _ = try ask(bench, "nobody")
        let told = bench.explanation
        #expect(told.hasPrefix("There is no activation nobody in this world"), "\(told)")
        for remedy in ["--data", "fixtures", "activate"] { #expect(told.contains(remedy), "\(told)") }
        _ = try ask(bench, created)
        #expect(
            bench.explanation.hasPrefix("The activation \(created) has exchanged no keys yet"),
            "\(bench.explanation)")
        let phone = try bench.activePhone()
        _ = try phone.status()
        #expect(bench.explanation == "")
        #expect(bench.bench.misshapenExplanations == [])
    }

    @Test(arguments: Device.Version.allCases)
    func `each state with keys is told`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.phone(version)
        let (id, code) = try bench.register()
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        #expect(try phone.status().state == .pendingCommit)
        try bench.commit(id)
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin("0000")) }
        let active = try phone.status()
        #expect(active.state == .active)
        #expect((active.failedAttempts, active.maximumFailedAttempts) == (1, 5))
        try bench.block(phone)
        #expect(try phone.status().state == .blocked)
        _ = try bench.platform.change { turn in
            try bench.platform.activations.remove(
                try #require(try bench.platform.activations.find(id, in: turn)), by: nil,
                revokingRecoveryCodes: false, in: turn)
        }
        #expect(try phone.status().state == .removed)
    }

    @Test func `one that was never committed is removed by time`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        try phone.activate(.init(.code(bench.register().code)), pin: MobileBench.pin)
        try bench.bench.clock.advance(seconds: 300)
        #expect(try phone.status().state == .removed)
    }

    @Test(arguments: [Device.Version.v31, .v33])
    func `the counters come together`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        let copy = phone.activation
        for _ in 1...3 { try phone.validate(with: .possession) }
        phone.activation = copy
        #expect(try phone.status().counterDistance == 3)
        try phone.validate(with: .pin(MobileBench.pin))

        try phone.skipCounter(15)
        #expect(try phone.status().counterDistance == -15)
        #expect(try bench.stored(phone).counter == 20, "the device let the server catch up")
    }

    @Test func `what is missing is named`() throws {
        let bench = try MobileBench()
        let cases: [(String, String)] = [
            ("{}", "The member requestObject.activationId is missing."), ("", "is missing"),
            (
                #"{"requestObject":{"activationId":"a","challenge":"AAAA"}}"#,
                "The challenge cannot be used: nonce: expected 16 bytes"
            ),
        ]
        for (body, explanation) in cases {
            let phone = try bench.phone()
            _ = try phone.send(.init("/pa/v3/activation/status", body: Array(body.utf8)))
            bench.expectRefused(
                400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: explanation)
        }
    }
}
