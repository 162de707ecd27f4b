import Essentials
import PlatformKit

extension Operation {
    /// Members of `additionalData` that the platform itself uses.
    enum AdditionalMember {
        static let ipAddress = "ipAddress"
        static let userAgent = "userAgent"
        static let application = "applicationId"
        static let activation = "activationId"
        static let factors = "authFactor"
        static let rejectReason = "rejectReason"
        static let proximityOTP = "proximity_otp"
        static let mobileTokenData = "mobileTokenData"
        static let device = "device"
    }

    /// With `device`, which is made of the user agent when read: what the management API and callbacks show.
    var additionalDataWithDevice: [String: JSONValue] {
        var shown = additionalData
        if let agent = shown[AdditionalMember.userAgent]?.string,
            let device = DeviceDescription(userAgent: agent)
        {
            shown[AdditionalMember.device] = device.json
        }
        return shown
    }

    /// The same without what the Cloud API says elsewhere or keeps to itself.
    var cloudAdditionalData: [String: JSONValue] {
        var shown = additionalDataWithDevice
        shown[AdditionalMember.activation] = nil
        shown[AdditionalMember.proximityOTP] = nil
        return shown
    }

    /// New keys win.
    mutating func merge(_ facts: [String: JSONValue]) {
        additionalData.merge(facts) { _, new in new }
    }
}

extension Operation {
    /// What the console tells of it beside its state.
    func facts(at now: Date) -> [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Template", template), ("Data", data),
            ("Failed attempts", "\(failures) of \(maxFailures)"),
            ("Factors", types.map(\.rawValue).joined(separator: ", ")),
            ("Applications", applications.joined(separator: ", ")),
            ("Registration", activation), ("Activation flag", flag), ("External id", externalID),
            ("Risk flags", riskFlags.isEmpty ? nil : riskFlags),
            // A seed that makes none has nothing to tell.
            ("Proximity OTP", state(at: now) == .pending ? (try? proximityOTP(at: now)) ?? nil : nil),
            ("Reason", stateReason),
            (
                "Additional data",
                additionalData.isEmpty ? nil : JSONValue.object(additionalDataWithDevice).text
            ),
        ]
        return ConsoleRecord.Fact.known(all)
    }
}

extension Operation {
    /// What the back end shows to a device that is near: 8 digits of this moment; nil without proximity check.
    func proximityOTP(at now: Date) throws -> String? {
        try proximitySeed.map { try OneTimePassword(seed: $0.bytes).code(at: now.unixSeconds) }
    }
}
