import DeviceKit
import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// An activation of 3.3 becomes one of 4.0.
@Suite struct Upgrade4Tests {
    private static let pin = Credential.pin(MobileBench.pin)

    /// An app that was updated to SDK 2.x, with an activation that was made before.
    private func updated(
        _ bench: MobileBench, _ algorithm: Protocol4.Algorithm = .hybrid3
    ) throws -> Device {
        let former = try bench.activePhone()
        try former.validate(with: Self.pin)
        let phone = try bench.phone4(algorithm)
        (phone.activation, phone.tokens) = (former.activation, former.tokens)
        return phone
    }

    @Test(arguments: Protocol4.Algorithm.allCases)
    func `an activation goes over with its counter, its PIN and its tokens`(
        _ algorithm: Protocol4.Algorithm
    ) throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench, algorithm)
        #expect(try phone.status().upgradeVersion == 4)
        try phone.createToken("old")
        let before = try #require(phone.activation)

        try phone.upgradeToProtocol4(pin: MobileBench.pin)
        let after = try #require(phone.activation)
        #expect(after.id == before.id && after.algorithm == algorithm && after.pending == nil)
        #expect(after.fingerprint != before.fingerprint)
        // The code of the start, and that of the confirmation.
        #expect(after.counter.count == before.counter.count + 2)
        let stored = try bench.stored(phone)
        #expect(stored.generation == 4 && stored.devicePoint == nil && stored.masterSecret == nil)
        #expect(stored.counter == after.counter.count)
        let status = try phone.status()
        #expect((status.state, status.counterDistance, status.flags) == (.active, 0, .biometryEnabled))
        for credential in [Self.pin, .biometry, .possession] { try phone.validate(with: credential) }
        #expect(try phone.tokenRequest("/api/inbox/count", token: "old").status == 200)

        phone.activation = before
        #expect(throws: ServerRefusal.self) { try phone.validate(with: Self.pin) }
    }

    @Test func `an upgrade begins with two factors, and with the application's own encryption`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench)
        let shop = bench.phone(
            MobileConfiguration(
                applicationKey: MobileBench.otherKey, applicationSecret: MobileBench.secret,
                masterKey: phone.configuration.masterKey))
        shop.algorithm = .p384
        shop.faults.temporaryKey = try bench.keyOfShop()
        let body = shop.style.json(try shop.seal([], .upgradeStart).request)
        func start(with credential: Credential) throws {
            let headers = [
                ("X-PowerAuth-Encryption", try shop.encryptionHeader(.application)),
                (
                    "X-PowerAuth-Authorization",
                    try phone.authorization(uriID: "/pa/upgrade/start", body: body, with: credential)
                ),
            ]
            let request = DeviceRequest("/pa/v4/upgrade/start", headers: headers, body: body)
            throw ServerRefusal(try phone.send(request))
        }
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID",
            because: "does not accept possession"
        ) { try start(with: .possession) }
        bench.expectRefusal(
            400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "belongs to another application"
        ) { try start(with: Self.pin) }
    }

    @Test func `a token of before is one of protocol 4 from then on`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench)
        try phone.createToken("old")
        let before = phone.activation
        try phone.upgradeToProtocol4(pin: MobileBench.pin)
        #expect(try phone.tokenRequest("/api/inbox/count", token: "old").status == 200)
        phone.activation = before
        #expect(try phone.tokenRequest("/api/inbox/count", token: "old").status == 401)
        #expect(bench.explanation.contains("speaks protocol 4, the header 3.3"), "\(bench.explanation)")
    }

    @Test func `who does not offer it tells nobody, and refuses`() throws {
        let bench = try MobileBench()
        let phone = try updated(bench)
        #expect(try phone.status().upgradeVersion == 3)
        bench.expectRefusal(
            400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "set its offers_upgrade"
        ) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        try phone.validate(with: Self.pin)
    }

    @Test func `a wrong PIN counts, and changes nothing`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench)
        bench.expectUnsigned(because: "the PIN is wrong") { try phone.upgradeToProtocol4(pin: "9999") }
        #expect(try bench.stored(phone).failedAttempts == 1)
        #expect(try bench.stored(phone).generation == 3)
        try phone.validate(with: Self.pin)
    }

    @Test func `a suite that is not taken is refused`() throws {
        let bench = try MobileBench(
            application: #""offers_upgrade": true, "supported_algorithms": ["EC_P384", "EC_P384_ML_L3"],"#)
        let phone = try updated(bench, .hybrid5)
        #expect(throws: ServerRefusal.self) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        #expect(try bench.stored(phone).generation == 3)

        // Taken no more after the temporary key was given.
        phone.algorithm = .hybrid3
        bench.bends = { [bench] path, answer in
            if path.hasSuffix("/keystore/create") {
                try bench.platform.perform(
                    "change", onRecord: "bank", ["supported_algorithms": "EC_P384"])
            }
            return answer
        }
        bench.expectRefusal(
            400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "does not take EC_P384_ML_L3"
        ) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        #expect(try bench.stored(phone).generation == 3)
    }

    @Test func `what is lost on the way is made up for`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench)
        let former = try #require(phone.activation)
        phone.faults.breaksSignature = true
        // The start fails, and so does nothing else.
        #expect(throws: ServerRefusal.self) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        phone.faults.breaksSignature = false
        phone.activation = former
        _ = try phone.status()

        // The answer of the start is lost: the activation goes on as it is, and begins anew.
        let (start, confirm) = ("/pa/v4/upgrade/start", "/pa/v4/upgrade/confirm")
        bench.loses = start
        #expect(throws: DeviceError.self) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        #expect(phone.activation?.algorithm == nil)
        bench.loses = confirm
        #expect(throws: DeviceError.self) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        bench.loses = nil
        // The server took the confirmation, whose answer was lost.
        #expect(phone.activation?.pending == .upgrade)
        #expect(try phone.status().flags == .biometryEnabled)
        #expect(phone.activation?.pending == nil)
        try phone.validate(with: Self.pin)
        #expect(bench.bench.reports.lines == [])
    }

    @Test func `until it is confirmed the server serves the status of 4, and 3 goes on`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench)
        let former = try #require(phone.activation)
        bench.refuses = "/pa/v4/upgrade/confirm"
        #expect(throws: ServerRefusal.self) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        bench.refuses = nil
        #expect(try phone.status().flags == [.upgradePending, .biometryEnabled])
        #expect(phone.activation?.pending == .upgrade)
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: "speaks protocol 3"
        ) { try phone.validate(with: Self.pin) }

        let next = phone.activation
        phone.activation = former
        _ = try phone.status()
        try phone.validate(with: Self.pin)
        phone.activation = next
        // 3.3 was used meanwhile, which moved the byte that both have.
        try phone.setCounter(#require(next).counter.data, bench.stored(phone).counter)
        // A wrong code of possession neither counts nor upgrades.
        phone.faults.breaksSignature = true
        #expect(throws: ServerRefusal.self) { try phone.confirmUpgrade() }
        #expect(try bench.stored(phone).generation == 3)
        phone.faults.breaksSignature = false
        try phone.setCounter(#require(next).counter.data, bench.stored(phone).counter)
        try phone.confirmUpgrade()
        try phone.validate(with: Self.pin)
        bench.expectRefusal(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "no upgrade to confirm")
        {
            phone.activation?.pending = .upgrade
            try phone.confirmUpgrade()
        }
    }

    @Test func `a world is exported in the middle of an upgrade, and loaded`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let phone = try updated(bench)
        bench.refuses = "/pa/v4/upgrade/confirm"
        #expect(throws: ServerRefusal.self) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        bench.refuses = nil
        let worlds = bench.bench.worlds
        let exported = try worlds.export(bench.bench.world)
        try worlds.load(FixtureSet(text: exported, file: "export"), into: bench.bench.world)
        #expect(try worlds.export(bench.bench.world) == exported)
        // The code that was refused on the way was never seen.
        let id = try #require(phone.activation).id
        let data = try bench.bench.world.database.read { try ActivationSecrets.find(id, in: $0) }?
            .upgradeCounterData
        try phone.setCounter(#require(data).bytes, bench.stored(phone).counter)
        try phone.confirmUpgrade()
        try phone.validate(with: Self.pin)
    }
}

extension Device {
    fileprivate func setCounter(_ data: [UInt8], _ count: Int) {
        activation?.counter = HashCounter(data, count: count)
    }
}

extension MobileBench {
    /// A temporary key for the application `shop`.
    fileprivate func keyOfShop() throws -> PowerAuthDevice.TemporaryKey {
        let told = try platform.appConfigurations().first { $0.application == "shop" }
        let phone = try phone(MobileConfiguration(parsing: #require(told?.values["mobileSdkConfigV4"])))
        phone.algorithm = .p384
        return try phone.temporaryKey(.application)
    }
}
