import DeviceKit
import Essentials
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

@Suite struct AuthenticationCountingTests {
    @Test func `wrong PINs block the activation, and only the back end unblocks it`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        for left in [4, 3, 2] {
            bench.expectUnsigned(
                because:
                    "the PIN is wrong (the knowledge key is not the activation's); possession, counter, method, uriId, "
                    + "body, nonce and application secret are right. \(left) attempts remain."
            ) { try phone.validate(with: .pin("0000")) }
        }
        bench.expectUnsigned(because: "1 attempt remains.") { try phone.validate(with: .pin("0000")) }
        bench.expectUnsigned(because: "No attempt remains: the activation is blocked.") {
            try phone.validate(with: .pin("0000"))
        }
        let blocked = try bench.stored(phone)
        #expect(blocked.state == .blocked && blocked.blockedReason == "MAX_FAILED_ATTEMPTS")
        #expect(blocked.failedAttempts == 5)

        bench.expectUnsigned(because: "is BLOCKED (MAX_FAILED_ATTEMPTS), expected ACTIVE") {
            try phone.validate(with: .pin(MobileBench.pin))
        }
        #expect(try bench.stored(phone).counterData == blocked.counterData)
    }

    @Test func `one without any attempts is blocked by its next use, one without keys is left as it is`()
        throws
    {
        let bench = try MobileBench()
        let (spent, bare) = (try bench.activePhone(), try bench.activePhone())
        var (one, other) = (try bench.stored(spent), try bench.stored(bare))
        one.failedAttempts = 5
        other.counterData = nil
        try bench.bench.world.change { [one, other] turn in
            try turn.update(one)
            try turn.update(other)
        }
        bench.expectUnsigned(because: "is BLOCKED (MAX_FAILED_ATTEMPTS), expected ACTIVE") {
            try spent.validate(with: .pin(MobileBench.pin))
        }
        #expect(try bench.stored(spent).state == .blocked)
        bench.expectUnsigned(because: "nothing was checked and nothing is counted") {
            try bare.validate(with: .pin(MobileBench.pin))
        }
        #expect(try bench.stored(bare).state == .active)
    }

    @Test func `a right code of two factors gives all attempts back, one of possession does not`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin("0000")) }
        try phone.validate(with: .possession)
        #expect(try bench.stored(phone).failedAttempts == 1)

        phone.faults.breaksSignature = true
        bench.expectUnsigned(because: "A code of possession alone costs no attempt.") {
            try phone.validate(with: .possession)
        }
        #expect(try bench.stored(phone).failedAttempts == 1)

        phone.faults.breaksSignature = false
        try phone.validate(with: .biometry)
        #expect(try bench.stored(phone).failedAttempts == 0)
    }

    @Test(arguments: Device.Version.allCases)
    func `a device may be nineteen values ahead, and not twenty`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        try phone.skipCounter(19)
        try phone.validate(with: .pin(MobileBench.pin))
        #expect(try bench.stored(phone).counter == 20)

        try phone.skipCounter(20)
        bench.expectUnsigned(
            because: "the device is 20 counter values ahead, and codes are looked for up to 19 ahead"
        ) { try phone.validate(with: .pin(MobileBench.pin)) }
        #expect(try bench.stored(phone).counter == 20)
    }

    @Test func `a failure leaves the counter alone, and moves the time of use`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let before = try bench.stored(phone)
        try bench.bench.clock.advance(seconds: 7)
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin("0000")) }

        let after = try bench.stored(phone)
        #expect(after.counterData == before.counterData && after.counter == 0)
        #expect(after.lastUsedAt == before.lastUsedAt + 7)
    }

    @Test func `the same request again is refused, and told to be used up`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        try phone.validate(with: .pin(MobileBench.pin))
        _ = try phone.replay()
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID",
            because: "it is right for the counter value 0, which is used up; 1 is expected next.")

        for _ in 1...130 { try phone.validate(with: .possession) }
        try phone.validate(with: .pin(MobileBench.pin))
        try phone.validate(with: .possession)
        #expect(try bench.stored(phone).counter == 133)
        let copy = phone.activation
        try phone.validate(with: .pin(MobileBench.pin))
        phone.activation = copy
        bench.expectUnsigned(because: "it is right for the counter value 133, which is used up; 134 is") {
            try phone.validate(with: .pin(MobileBench.pin))
        }
    }

    @Test func `a version of the application that is not supported proves nothing, and costs an attempt`()
        throws
    {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let active = phone.activation
        for (key, sentence) in [
            (MobileBench.oldKey, "The version 1.0 of the application is not supported any more"),
            (MobileBench.otherKey, "The application key is of shop, the activation belongs to bank."),
            (
                "R0dHR0dHR0dHR0dHR0dHRw==",
                "No application has a version with the key R0dHR0dHR0dHR0dHR0dHRw==."
            ),
        ] {
            let other = try bench.phone(key: key)
            other.activation = active
            bench.expectUnsigned(because: sentence) { try other.validate(with: .pin(MobileBench.pin)) }
            bench.expectUnsigned(because: sentence) { try other.validate(with: .possession) }
        }
        #expect(try bench.stored(phone).failedAttempts == 3)
    }

    @Test func `an unknown activation is told, and nothing happens`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let header = try phone.authorization(uriID: "/x", body: [], with: .possession)
            .replacing(try #require(phone.activation).id, with: "0b0b0b0b-1111-4222-8333-444444444444")
        _ = try phone.send(
            .init("/pa/v3/signature/validate", headers: [("X-PowerAuth-Authorization", header)]))
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID",
            because: "There is no activation 0b0b0b0b-1111-4222-8333-444444444444: it is reported as REMOVED")
    }

    @Test func `an activation that waits for its commit cannot sign`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let (id, code) = try bench.register()
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        bench.expectUnsigned(because: "The activation \(id) is PENDING_COMMIT, expected ACTIVE") {
            try phone.validate(with: .pin(MobileBench.pin))
        }
        try bench.bench.clock.advance(seconds: 301)
        bench.expectUnsigned(because: "The activation \(id) is REMOVED, expected ACTIVE") {
            try phone.validate(with: .pin(MobileBench.pin))
        }
        #expect(try bench.stored(id).state == .removed)
    }
}
