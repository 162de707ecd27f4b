package import DeviceKit
package import Essentials

extension MIRACLDevice {
    /// `GetAccessCode`: opens a session at the address that the app's back end gave.
    package func accessCode(authorizeURL: String, using services: DeviceServices) throws -> String {
        let told = try post(authorizeURL, for: .sessionDetails, using: services)
        return try Self.accessCode(inQR: told.text("qrURL"))
    }

    /// The access code in the text of a QR code or a link: `https://HOST/mobile-login/#CODE`.
    ///
    /// - Throws: ``DeviceError`` for another text; the SDK says `InvalidQRCode`.
    package static func accessCode(inQR text: String) throws -> String {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, text.hasPrefix("http"),
            parts[1].wholeMatch(of: /[0-9a-f]{32}/) != nil
        else { throw DeviceError("InvalidQRCode: “\(text)” has no access code behind #") }
        return String(parts[1])
    }

    /// `GetSessionDetails`: tells that the code was read, and what the app shows.
    package func sessionDetails(_ accessCode: String, using services: DeviceServices) throws -> JSONValue {
        try tell("wid", accessCode, using: services)
    }

    /// `StartAuthentication`: tells who is about to prove, and fetches the classic SDK's permit of the day.
    package mutating func startAuthentication(
        _ accessCode: String? = nil, using services: DeviceServices
    ) throws {
        if let accessCode {
            _ = try tell("user", accessCode, ["userId": .string(userID)], using: services)
        }
        if generation == .classic, settings?["usePermits"]?.boolean ?? true {
            permit = try fetchPermit(using: services)
        }
    }

    /// `AbortSession`: the user declines.
    package func abort(_ accessCode: String, using services: DeviceServices) throws {
        _ = try tell("abort", accessCode, using: services)
    }

    func tell(
        _ status: String, _ accessCode: String, _ more: [String: JSONValue] = [:],
        using services: DeviceServices
    ) throws -> JSONValue {
        let members: [String: JSONValue] = ["status": .string(status), "wid": .string(accessCode)]
        return try post(
            generation.isTrust ? "/rps/v2/codeStatus" : address("codeStatusURL"),
            .object(members.merging(more) { _, new in new }), for: .sessionDetails, using: services)
    }

    private func fetchPermit(using services: DeviceServices) throws -> Permit {
        let told = try get(
            address("timePermitsURL") + "/" + required(identity).mpinID, for: .timePermit,
            using: services)
        let day = try told.number("date")
        guard let days = UInt32(exactly: day) else { throw DeviceError("\(day) is not a day") }
        let (storageID, appID) = (try told.text("storageId"), try address("appID"))
        let stored = try send(
            "GET", "\(address("timePermitsStorageURL"))/\(appID)/\(day)/\(storageID)", nil, using: services)
        if stored.status == 200 {
            let share = String(decoding: stored.body, as: UTF8.self)
            return Permit(day: days, shares: [try told.text("timePermit"), share])
        }
        let query = Self.query([
            ("hash_mpin_id", storageID), ("app_id", appID), ("mobile", "1"),
            ("signature", try told.text("signature")),
        ])
        let second = try get(address("certivoxURL") + "timePermit" + query, for: .timePermit, using: services)
        return Permit(day: days, shares: [try told.text("timePermit"), try second.text("timePermit")])
    }
}
