package import DeviceKit
import Essentials

extension MIRACLDevice {
    /// Digits that a back end checks, or that another device registers with.
    package struct OneTimeCode: Sendable, Equatable {
        package let digits: String
        package let lifetime: Duration
    }

    /// `FinishAuthenticationOTP`: digits that a back end checks.
    package mutating func oneTimePassword(
        pin: String, using services: DeviceServices
    ) throws -> OneTimeCode {
        try Self.code(logIn(pin: pin, for: .oneTimePassword, using: services).body, "otp")
    }

    /// A code with which another device of the same user registers. The second generation calls it a bootstrap code, the third one
    /// a quick code.
    package mutating func quickCode(pin: String, using services: DeviceServices) throws -> OneTimeCode {
        let told = try logIn(pin: pin, for: .registrationCode, using: services)
        guard generation.isTrust else { return try Self.code(told.body, "otp") }
        let made = try post(
            "/verification/quickcode",
            [
                "projectId": try project(), "jwt": try told.body.member("jwt"),
                "deviceName": .string(name),
            ], for: .quickCode, using: services)
        return try Self.code(made, "code")
    }

    private static func code(_ told: JSONValue, _ name: String) throws -> OneTimeCode {
        OneTimeCode(digits: try told.text(name), lifetime: .seconds(try told.number("ttlSeconds")))
    }
}
