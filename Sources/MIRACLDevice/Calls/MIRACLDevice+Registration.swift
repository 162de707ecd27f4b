import Crypto
package import DeviceKit
import Essentials

extension MIRACLDevice {
    /// `StartRegistration` of the first two generations: the server sends a mail, unless the project needs none.
    ///
    /// - Parameters:
    ///   - accessCode: of a session that the user came from.
    ///   - activationCode: an activation token, or a code of another device, in place of the mail.
    package mutating func startRegistration(
        accessCode: String? = nil, activationCode: String? = nil, using services: DeviceServices
    ) throws {
        var order = order(isMobile: true)
        order["wid"] = accessCode.map(JSONValue.string)
        order["activateCode"] = activationCode.map(JSONValue.string)
        try startRegistration(address("registerURL"), order, using: services)
    }

    /// `RestartRegistration`: asks for another mail, under the same M-Pin id.
    package mutating func restartRegistration(using services: DeviceServices) throws {
        guard let begun = registration else { throw DeviceError("no registration was started") }
        var order = order(isMobile: true)
        order["regOTT"] = .string(begun.token)
        try startRegistration(address("registerURL") + "/" + begun.mpinID, order, using: services)
        guard registration?.mpinID == begun.mpinID else { throw DeviceError("the M-Pin id has changed") }
    }

    /// `ConfirmRegistration`: fetches both shares; refused until the user has opened the mail's link.
    package mutating func confirmRegistration(using services: DeviceServices) throws {
        guard var begun = registration else { throw DeviceError("no registration was started") }
        let first = try get(
            address("signatureURL") + "/" + begun.mpinID + Self.query([("regOTT", begun.token)]),
            for: .confirmation, using: services)
        try Self.checkCurve(first)
        // The classic SDK asks the other authority at an address of its settings.
        let second =
            try generation == .classic
            ? address("certivoxURL") + "clientSecret?" + first.text("params") : first.text("cs2url")
        begun.shares = [
            try first.text("clientSecretShare"),
            try get(second, for: .secondShare, using: services).text("clientSecret"),
        ]
        begun.dtas = first["dtas"]?.string ?? ""
        registration = begun
        state = .activated
    }

    /// `FinishRegistration`: chooses the PIN. No request tells the server.
    package mutating func finishRegistration(pin: String) throws {
        guard let begun = registration, !begun.shares.isEmpty else {
            throw DeviceError("the registration is not confirmed")
        }
        identity = try token(begun, key: nil, pin: pin)
        registration = nil
        state = .registered
    }

    func order(isMobile: Bool) -> [String: JSONValue] {
        var order: [String: JSONValue] = [
            "mobile": .integer(isMobile ? 1 : 0), "userId": .string(userID), "deviceName": .string(name),
        ]
        order["pushToken"] = pushToken.map(JSONValue.string)
        return order
    }

    func token(_ registration: Registration, key: TwistKey?, pin: String) throws -> MPinToken {
        try MPinToken(
            mpinID: registration.mpinID, dtas: registration.dtas,
            shares: registration.shares.map { try MPinCurve.point(hex: $0) }, key: key, pin: pin)
    }

    static func checkCurve(_ answer: JSONValue) throws {
        guard answer["curve"]?.string == MPinCurve.name else {
            throw DeviceError("the curve is not \(MPinCurve.name): \(answer.text)")
        }
    }

    private mutating func startRegistration(
        _ address: String, _ order: [String: JSONValue], using services: DeviceServices
    ) throws {
        let told = try put(address, .object(order), for: .registration, using: services)
        registration = Registration(mpinID: try told.text("mpinId"), token: try told.text("regOTT"))
        state = told["active"]?.boolean == true ? .activated : .startedRegistration
    }
}
