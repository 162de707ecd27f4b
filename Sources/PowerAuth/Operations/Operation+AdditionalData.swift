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
