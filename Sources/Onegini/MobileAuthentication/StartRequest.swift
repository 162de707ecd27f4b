import Essentials
import HTTP

/// The form of a start. Empty parameters count as absent. Source: mobile authentication API v4.
struct StartRequest: Sendable {
    let type: String?
    let userID: String?
    /// v4 alone.
    let deviceID: String?
    /// v3 alone.
    let applicationID: String?
    let callbackURI: String?
    let message: String?
    let signingData: String?
    let secureMessage: String?
    let phoneNumber: String?
    let language: String?
    let context: RequestContext
    let version: PortalVersion

    init(_ form: Form, _ version: PortalVersion) {
        func value(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
        type = value("type")
        userID = value("user_id")
        deviceID = version == .v4 ? value("device_id") : nil
        applicationID = version == .v3 ? value("app_id") : nil
        callbackURI = value("callback_uri")
        message = value("message")
        // Since v2.
        signingData = version == .v1 ? nil : value("signing_data")
        secureMessage = value("secure_message")
        phoneNumber = value("phone_number")
        language = value("language_code")
        context =
            version == .v4
            ? RequestContext(ipAddress: value("ip_address"), userAgent: value("user_agent"))
            : RequestContext()
        self.version = version
    }
}

// The third check of a start: what has to be there.
extension StartRequest {
    func checkParameters(for type: MobileAuthenticationType) throws {
        switch type.method {
        case .otp: try checkOTP(type)
        case .sms:
            try require(userID, "user_id", type)
            guard let phoneNumber else { throw PortalFault.phoneNumberMissing }
            try Self.check(phoneNumber: phoneNumber)
        default:
            try require(userID, "user_id", type)
            if version == .v4 { try require(deviceID, "device_id", type) }
            if version == .v3 { try require(applicationID, "app_id", type) }
            try require(callbackURI, "callback_uri", type)
            if let phoneNumber { try Self.check(phoneNumber: phoneNumber) }
        }
        guard message != nil || type.message(in: language) != nil else {
            throw PortalFault.parameterInvalid(
                "The parameter message is missing, and the type “\(type.name)” has no default message in English or in "
                    + "the language of the request.")
        }
    }

    private func checkOTP(_ type: MobileAuthenticationType) throws {
        if let userID {
            throw PortalFault.parameterInvalid(
                "The parameter user_id is “\(userID.prefix(60))”, but the type “\(type.name)” is of method OTP, where "
                    + "it must be absent: whose app scans the code is known later.")
        }
        try require(callbackURI, "callback_uri", type)
    }

    private func require(_ value: String?, _ name: String, _ type: MobileAuthenticationType) throws {
        if value != nil { return }
        throw PortalFault.parameterInvalid(
            "The parameter \(name) is missing; the type “\(type.name)” of method \(type.method.rawValue) needs it in "
                + "the form of the request.")
    }

    /// International notation: a plus sign, then 5 to 15 digits; spaces and dashes between them. Source: ITU-T E.164.
    private static func check(phoneNumber: String) throws {
        let digits = phoneNumber.utf8.filter { 0x30...0x39 ~= $0 }.count
        let isSpelledRight = phoneNumber.utf8.dropFirst().allSatisfy { byte in
            0x30...0x39 ~= byte || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
        }
        let begins = phoneNumber.utf8.first.map { $0 == UInt8(ascii: "+") || 0x30...0x39 ~= $0 } ?? false
        guard begins, isSpelledRight, (5...15).contains(digits), phoneNumber.utf8.count <= 30 else {
            throw PortalFault.parameterInvalid(
                "The parameter phone_number is “\(phoneNumber.prefix(40))”; expected international notation such as "
                    + "+31612345678.")
        }
    }
}
