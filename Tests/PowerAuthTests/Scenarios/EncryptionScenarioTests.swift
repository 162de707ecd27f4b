import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// Encrypted exchanges, tokens' making, the vault, and what tampering leads to.
@Suite struct EncryptionScenarioTests {
    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `everything that is encrypted works`(_ version: Device.Version, _ style: DeviceStyle) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version, style: style)
        let claims = try phone.userInfo()
        #expect(claims["sub"] == "eva")
        #expect(claims["name"] == "Eva Nováková")
        #expect(claims["email_verified"] == true)
        #expect(try stage.makeActivePhone(version, user: "carl").userInfo()["sub"] == "carl")
        try phone.createToken("two", with: .pin(Stage.pin))
        #expect(try phone.activationName(token: "two") == "Eva's phone")
        #expect(try phone.renameActivation("New/name=<1>", with: .biometry) == "New/name=<1>")
        #expect(try phone.activationName(token: "two") == "New/name=<1>")
        try phone.removeToken("two")

        for reason in [nil, "ADD_BIOMETRY", "a.b-c_1"] {
            try phone.unlockVault(reason: reason, with: .pin(Stage.pin))
        }
        let app = try phone.vaultKey(index: 7, with: .pin(Stage.pin))
        #expect(try phone.vaultKey(index: 7, with: .pin(Stage.pin)) == app)
    }

    @Test(arguments: Device.Version.allCases)
    func `the vault has its own rules`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        expect(.signature) { try phone.unlockVault(reason: "TEST", with: .pin("0000")) }
        #expect(try phone.status().failedAttempts == 1)
        expect(.vault) { try phone.unlockVault(reason: "TEST", with: .biometry) }
        expect(.vault) { try phone.unlockVault(reason: "TEST", with: .possession) }
        expect(.vault) { try phone.unlockVault(reason: "no blanks", with: .pin(Stage.pin)) }
        expect(.vault) { try phone.unlockVault(reason: "no", with: .pin(Stage.pin)) }
        #expect(try phone.status().failedAttempts == 1)

        let lenient = try Stage(settings: ["unlocks_vault_by_biometry": true])
        try lenient.makeActivePhone(version).unlockVault(reason: "TEST", with: .biometry)
    }

    @Test(arguments: Device.Version.allCases)
    func `a tampered body is refused before anything is read`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        phone.faults.breaksMAC = true
        expect(.encryption) { _ = try phone.userInfo() }
        expect(.tokenBody) { try phone.createToken("t") }
        expect(.vault) { try phone.unlockVault(reason: "TEST", with: .pin(Stage.pin)) }
        let other = try stage.makePhone(version)
        other.faults.breaksMAC = true
        let started = try stage.startRegistration("carl")
        expect(.activation) { try stage.activate(other, started) }
        other.faults = Device.Faults()
        try stage.activate(other, started)
    }

    @Test(arguments: Device.Version.allCases)
    func `an encrypted body comes once, since 3_2`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        _ = try phone.userInfo()
        let replayed = try phone.replay()
        if version < .v32 {
            #expect(replayed.status == 200)
        } else {
            #expect(Refusal(replayed) == .encryption)
        }
        try phone.createToken("t")
        #expect(try phone.replay().status == 401)

        let other = try stage.makePhone(version)
        try stage.activate(other, stage.startRegistration("carl"))
        #expect(try Refusal(other.replay()) == .activation)
    }

    @Test(arguments: [Device.Version.v32, .v33], [-61_000, 61_000])
    func `an encrypted body is a minute old at most`(_ version: Device.Version, _ shift: Int) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        phone.faults.timeShift = shift
        expect(.encryption) { _ = try phone.userInfo() }
        expect(.tokenBody) { try phone.createToken("t") }
        phone.faults.timeShift = shift / 61 * 59
        _ = try phone.userInfo()
    }

    @Test func `a device with a wrong clock is put right by the server's`() throws {
        for version in [Device.Version.v32, .v33] {
            let stage = try Stage()
            let phone = try stage.makeActivePhone(version)
            phone.clockOffset = 7_200_000
            phone.temporaryKeys = [:]
            if version == .v32 { _ = try phone.serverStatus() }
            _ = try phone.userInfo()
            #expect(phone.now == stage.milliseconds)
        }
    }

    @Test func `a temporary key is for one application, one activation and five minutes`() throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone()
        let key = try phone.temporaryKey(.activation)
        #expect(key.expires == stage.milliseconds + 300_000)
        _ = try phone.userInfo()

        let other = try stage.makeActivePhone(user: "carl")
        other.faults.temporaryKey = key
        expect(.encryption) { _ = try other.userInfo() }
        other.faults.temporaryKey = try other.fetchTemporaryKey(.application)
        expect(.encryption) { _ = try other.userInfo() }
        other.faults = Device.Faults()
        other.faults.temporaryKeyID = "5a2f1c9e-7b64-4d0c-9e55-0c1d2e3f4a5b"
        expect(.encryption) { _ = try other.userInfo() }
        other.faults.temporaryKeyID = ""
        expect(.encryption) { _ = try other.userInfo() }
        other.faults = Device.Faults()
        _ = try other.userInfo()

        let foreign = try stage.makePhone(application: "other-app")
        let newcomer = try stage.makePhone()
        newcomer.faults.temporaryKey = try foreign.fetchTemporaryKey(.application)
        let started = try stage.startRegistration("dora")
        expect(.activation) { try stage.activate(newcomer, started) }

        try stage.bench.clock.advance(seconds: 301)
        phone.faults.temporaryKey = key
        expect(.encryption) { _ = try phone.userInfo() }
    }

    @Test func `a blocked activation gets a temporary key and may not use it`() throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone()
        try stage.change(phone, "BLOCK")
        _ = try phone.fetchTemporaryKey(.activation)
        expect(.encryption) { _ = try phone.userInfo() }
        try stage.change(phone, "UNBLOCK")
        _ = try phone.userInfo()
        let id = try #require(phone.activation).id
        try stage.backEnd(.delete, "/v2/registrations/\(id)")
        expect(.temporaryKey) { _ = try phone.fetchTemporaryKey(.activation) }
    }

    @Test(arguments: Device.Version.allCases)
    func `an activation of version 3 is not upgraded`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        expect(.upgrade) { _ = try phone.startUpgrade() }
        expect(.upgrade) { try phone.commitUpgrade() }
    }

    @Test(arguments: Device.Version.allCases)
    func `the device's key signs what its public key proves`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let point = try #require(phone.activation).deviceKey
        let signature = try phone.signWithDeviceKey(Array("data".utf8), with: .pin(Stage.pin))
        let raw = try ECSignature.raw(fromDER: signature, .p256)
        #expect(try PublicKey(x962: point).isValid(raw, for: Array("data".utf8), with: .es256))
    }

    @Test(arguments: Device.Version.allCases)
    func `the server tells its time and its name`(_ version: Device.Version) throws {
        let stage = try Stage()
        let status = try stage.makePhone(version).serverStatus()
        #expect(status.serverTime == stage.milliseconds)
        #expect(status.applicationName?.isEmpty == false)
    }
}
