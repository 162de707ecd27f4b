package import DeviceKit
import Essentials
import HTTP

extension NextAuthDevice {
    private static let path = "/device/v1"

    /// Installs the app: the server makes a token for it.
    ///
    /// - Parameters:
    ///   - platform: `android`, `ios` or `test`.
    ///   - name: of the device.
    package static func install(
        platform: String, name: String? = nil, pushToken: String? = nil, using services: DeviceServices
    ) throws -> NextAuthDevice {
        var members: [String: JSONValue] = ["platform": .string(platform), "clientVersion": "1.0"]
        members["name"] = name.map(JSONValue.string)
        members["pushtoken"] = pushToken.map(JSONValue.string)
        let request = DeviceRequest(
            path + "/instances", headers: [("Content-Type", "application/json")],
            body: JSONValue.object(members).bytes)
        let told = try success(services.send(request))
        return NextAuthDevice(id: try told.text("instanceid"), token: try told.text("token"))
    }

    private init(id: String, token: String) { (self.id, self.token) = (id, token) }

    func get(
        _ path: String, _ query: [(name: String, value: String)] = [], using services: DeviceServices
    ) throws -> JSONValue {
        let query = query.isEmpty ? nil : Form.encode(query)
        return try Self.success(send("GET", path, query: query, nil, using: services))
    }

    @discardableResult
    func post(
        _ path: String, _ body: JSONValue = [:], using services: DeviceServices
    ) throws -> JSONValue {
        try Self.success(send("POST", path, body, using: services))
    }

    func delete(_ path: String, _ body: JSONValue? = nil, using services: DeviceServices) throws {
        _ = try Self.success(send("DELETE", path, body, using: services))
    }

    private func send(
        _ method: String, _ path: String, query: String? = nil, _ body: JSONValue?,
        using services: DeviceServices
    ) throws -> DeviceResponse {
        var request = DeviceRequest(
            method: method, Self.path + path, query: query,
            headers: [("Authorization", "Device " + (faults.token ?? token))])
        if let body {
            request.headers.append(("Content-Type", "application/json"))
            request.body = body.bytes
        }
        if faults.sendsTwice { _ = try services.send(request) }
        return try services.send(request)
    }

    /// The JSON of a success; `null` for one without a body.
    ///
    /// - Throws: ``SDKRefusal`` with name and number of the protocol's table.
    private static func success(_ response: DeviceResponse) throws -> JSONValue {
        guard (200...299).contains(response.status) else {
            let code = response.json?["code"]?.string
            throw SDKRefusal(
                .init(code ?? "HTTP \(response.status)", response.json?["number"]?.integer), response,
                code: code)
        }
        if response.body.isEmpty { return .null }
        guard let json = response.json else { throw DeviceError("the answer is not JSON") }
        return json
    }
}
