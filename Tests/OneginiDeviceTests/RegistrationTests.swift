import Essentials
import HTTP
import OneginiDevice
import PlatformKit
import TestKit
import Testing

@Suite struct RegistrationTests {
    @Test func `a device registers and has a user`() throws {
        let stage = try Stage()
        let device = try stage.registered()
        #expect(device.clientID?.isEmpty == false)
        #expect(device.activeProfile != nil)
        #expect(device.activeProfile?.isEnrolled == false)
    }

    @Test func `a user registers in a browser`() throws {
        let stage = try Stage()
        var device = stage.device()
        try device.register(using: stage.services)
        let landed = try stage.logIn(device.startLogin(using: stage.services))
        #expect(landed.hasPrefix("com.example.app://redirect?"))
        try device.finishLogin(redirect: landed, pin: Stage.pin, using: stage.services)
        try device.logIn(pin: Stage.pin, using: stage.services)
        #expect(device.activeProfile != nil)
    }

    @Test func `what comes back from a browser works once, and for the login that was started`() throws {
        let stage = try Stage()
        var device = stage.device()
        try device.register(using: stage.services)
        let landed = try stage.logIn(device.startLogin(using: stage.services))
        _ = try device.startLogin(using: stage.services)
        #expect(
            try refusal {
                try device.finishLogin(redirect: landed, pin: Stage.pin, using: stage.services)
            } == "0 ONGRegistrationErrorInvalidState 10002")
        let next = try stage.logIn(device.startLogin(using: stage.services))
        try device.finishLogin(redirect: next, pin: Stage.pin, using: stage.services)
        #expect(
            try refusal { try device.finishLogin(redirect: next, pin: Stage.pin, using: stage.services) }
                == "0 ONGRegistrationErrorInvalidState 10002")
    }

    @Test func `another binary is no registered app`() throws {
        let stage = try Stage()
        var device = stage.device()
        device.faults.signature = "another.signature"
        #expect(
            try refusal { try device.register(using: stage.services) }
                == "401 ONGGenericErrorAppIntegrityFailure 10024")
        #expect(device.clientID == nil)
    }

    @Test(arguments: [(9, false), (-9, false), (15, true), (-60, true)])
    func `a clock may be off by ten minutes`(_ minutes: Int, _ isRefused: Bool) throws {
        let stage = try Stage()
        var device = stage.device()
        device.faults.minutesOff = minutes
        guard isRefused else { return try device.register(using: stage.services) }
        #expect(
            try refusal { try device.register(using: stage.services) }
                == "400 ONGGenericErrorInvalidDateTime 9031")
    }

    @Test func `an app that is outdated or unknown, or on an old system, does not register`() throws {
        let stage = try Stage()
        func attempt(_ version: String) throws -> String {
            var device = stage.device(version)
            return try refusal { try device.register(using: stage.services) }
        }

        #expect(try attempt("0.9.0") == "403 ONGGenericErrorOutdatedApplication 9004")
        #expect(try attempt("1.1.0") == "403 ONGGenericErrorOutdatedOS 9005")
        #expect(try attempt("7.0.0") == "404 ONGGenericErrorDeviceRegistrationFailure 9008")
    }

    @Test func `a challenge is answered once`() throws {
        let stage = try Stage()
        var device = stage.device()
        device.faults.sendsTwice = true
        #expect(
            try refusal { try device.register(using: stage.services) }
                == "400 ONGGenericErrorDeviceRegistrationFailure 9008")
    }

    @Test func `the third wrong PIN takes the user off the device`() throws {
        let stage = try Stage(application: "\"max_pin_attempts\": 3,")
        var device = try stage.registered()
        var stolen = device
        func guess() throws -> String {
            try refusal { try device.logIn(pin: Stage.wrong, using: stage.services) }
        }

        #expect(try guess() == "400 ONGAuthenticationErrorInvalidPin 9009")
        #expect(try guess() == "400 ONGAuthenticationErrorInvalidPin 9009")
        #expect(device.profiles.count == 1)
        #expect(try guess() == "400 ONGGenericErrorUserDeregistered 9003")
        #expect(device.profiles.isEmpty)
        #expect(
            try refusal { try stolen.logIn(pin: Stage.pin, using: stage.services) }
                == "400 ONGGenericErrorUserDeregistered 9003",
            "a copy of the device with the right PIN is too late")
    }

    @Test func `a right PIN between wrong ones forgives them`() throws {
        let stage = try Stage(application: "\"max_pin_attempts\": 3,")
        var device = try stage.registered()
        for _ in 1...3 {
            for _ in 1...2 {
                _ = try refusal { try device.logIn(pin: Stage.wrong, using: stage.services) }
            }
            try device.logIn(pin: Stage.pin, using: stage.services)
        }
        #expect(device.profiles.count == 1)
    }

    @Test func `a PIN is changed on the device, after the old one was proven`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        #expect(
            try refusal { try device.changePIN(from: Stage.wrong, to: "97205", using: stage.services) }
                == "400 ONGAuthenticationErrorInvalidPin 9009")
        try device.changePIN(from: Stage.pin, to: "97205", using: stage.services)
        #expect(
            try refusal { try device.logIn(pin: Stage.pin, using: stage.services) }
                == "400 ONGAuthenticationErrorInvalidPin 9009")
        try device.logIn(pin: "97205", using: stage.services)
    }

    @Test func `two users of a device have a PIN each`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        try stage.add("grace", to: &device)
        #expect(device.profiles.count == 2)
        for profile in device.profiles {
            try device.logIn(pin: Stage.pin, profile: profile.id, using: stage.services)
            #expect(device.activeProfile?.id == profile.id)
        }
    }

    @Test func `an app hears at its start who was taken off the device`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        var stale = device
        let id = try #require(device.activeProfile).id
        try device.deregisterUser(id, using: stage.services)
        #expect(device.profiles.isEmpty)
        _ = try stale.validate(using: stage.services)
        #expect(throws: (any Error).self) { try stale.logIn(pin: Stage.pin, using: stage.services) }
    }

    @Test func `a user whom the portal takes off the device is gone there`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        try stage.removeDevice(device)
        #expect(
            try refusal { try device.logIn(pin: Stage.pin, using: stage.services) }
                == "400 ONGGenericErrorUserDeregistered 9003")
        #expect(device.profiles.isEmpty)
    }

    @Test func `a device that is deregistered forgets everything, whatever it asks next`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        let stale = device
        try device.deregister(using: stage.services)
        let calls: [(inout OneginiDevice) throws -> Void] = [
            { _ = try $0.validate(using: stage.services) },
            { try $0.logIn(pin: Stage.pin, using: stage.services) },
            { _ = try $0.pinPolicy(using: stage.services) },
        ]
        for call in calls {
            var copy = stale
            #expect(try refusal { try call(&copy) } == "401 ONGGenericErrorDeviceDeregistered 9002")
            #expect(copy.clientID == nil)
            #expect(copy.profiles.isEmpty)
        }
    }

    @Test func `what is stored is the device as it was, without PIN and faults`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        device.faults.sendsTwice = true
        let stored = try JSONEncoder().encode(device)
        var copy = try JSONDecoder().decode(OneginiDevice.self, from: stored)
        #expect(copy.profiles == device.profiles)
        #expect(!String(decoding: stored, as: UTF8.self).contains(Stage.pin))
        try copy.logIn(pin: Stage.pin, using: stage.services)
    }
}
