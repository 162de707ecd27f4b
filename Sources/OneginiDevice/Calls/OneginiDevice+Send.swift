import Crypto
import DeviceKit
import Essentials
import HTTP

extension OneginiDevice {
    /// Who calls.
    enum Caller {
        case nobody
        /// By the credentials of the dynamic client.
        case device
        /// By the access token.
        case user
    }

    /// A call of the device protocol; the path is below `/sdk/v1`.
    ///
    /// - Returns: `null` for an answer without a body.
    @discardableResult
    mutating func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, as caller: Caller,
        using services: DeviceServices
    ) throws -> JSONValue {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var request = DeviceRequest(
            method: method, "/sdk/v1" + parts[0], query: parts.count > 1 ? parts[1] : nil,
            headers: try authorization(caller))
        if let body {
            request.headers.append(("Content-Type", "application/json"))
            request.body = body.bytes
        }
        do {
            return try send(request, using: services)
        } catch let refusal as SDKRefusal where caller == .user {
            if let profile = session?.profile { obey(refusal, about: profile) }
            throw refusal
        }
    }

    /// What is over at the server is over on the device: the user, or their mobile authentication.
    private mutating func obey(_ refusal: SDKRefusal, about profile: String) {
        switch refusal.sdk.number {
        case 9003: forget(profile)
        case 9020: change(profile) { ($0.key, $0.serverKey) = (nil, nil) }
        default: break
        }
    }

    /// A form to an endpoint of OAuth, by the credentials of the dynamic client.
    mutating func form(
        _ path: String, _ fields: [(name: String, value: String)], using services: DeviceServices
    ) throws -> JSONValue {
        let headers = try authorization(.device) + [("Content-Type", "application/x-www-form-urlencoded")]
        return try send(
            DeviceRequest(path, headers: headers, body: Array(Form.encode(fields).utf8)), using: services)
    }

    /// - Throws: ``SDKRefusal``. A device that is deregistered forgets everything, as the SDK does.
    mutating func send(_ request: DeviceRequest, using services: DeviceServices) throws -> JSONValue {
        if faults.sendsTwice { _ = try services.send(request) }
        let response = try services.send(request)
        if (200...299).contains(response.status) {
            if response.body.isEmpty { return .null }
            guard let json = response.json else { throw DeviceError("the answer is not JSON") }
            return json
        }
        let code = response.json?["error"]?.string
        // The endpoints of OAuth know no numbers: there credentials that are unknown say it.
        let number = response.json?["sdk_code"]?.integer ?? (code == "invalid_client" ? 9002 : nil)
        let refusal = SDKRefusal(
            number.map(Self.sdkError) ?? .init("ONGGenericErrorUnknown", 10000), response, code: code)
        if number == 9002 { (client, profiles, session) = (nil, [], nil) }
        throw refusal
    }

    func authorization(_ caller: Caller) throws -> [(name: String, value: String)] {
        switch caller {
        case .nobody: return []
        case .device:
            let client = try requireClient()
            return [("Authorization", "Basic " + Base64.encode(Array("\(client.id):\(client.secret)".utf8)))]
        case .user:
            guard let token = faults.accessToken ?? session?.accessToken else {
                throw SDKRefusal(local: Self.sdkError(9010))
            }
            return [("Authorization", "Bearer " + token)]
        }
    }

    func requireClient() throws -> Client {
        guard let client else { throw DeviceError("the device is not registered") }
        return client
    }

    func requireProfile(_ id: String? = nil) throws -> Profile {
        let wanted = id ?? session?.profile
        guard let profile = profiles.first(where: { $0.id == wanted }) else {
            throw DeviceError("the device has no profile “\(wanted ?? "")”")
        }
        return profile
    }

    mutating func change(_ profile: String, _ change: (inout Profile) -> Void) {
        guard let index = profiles.firstIndex(where: { $0.id == profile }) else { return }
        change(&profiles[index])
    }

    /// The profile is gone, with all that it had.
    mutating func forget(_ profile: String) {
        profiles.removeAll { $0.id == profile }
        if session?.profile == profile { session = nil }
    }
}
