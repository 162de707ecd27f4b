package import DeviceKit
import Essentials
import HTTP

extension MIRACLDevice {
    func get(_ address: String, for purpose: Purpose, using services: DeviceServices) throws -> JSONValue {
        try success(send("GET", address, nil, using: services), purpose)
    }

    func put(
        _ address: String, _ body: JSONValue, for purpose: Purpose, using services: DeviceServices
    ) throws -> JSONValue {
        try success(send("PUT", address, body, using: services), purpose)
    }

    func post(
        _ address: String, _ body: JSONValue? = nil, for purpose: Purpose, using services: DeviceServices
    ) throws -> JSONValue {
        try success(send("POST", address, body, using: services), purpose)
    }

    /// An object of JSON with the status 200, as some of the SDKs know no other success.
    private func success(_ response: DeviceResponse, _ purpose: Purpose) throws -> JSONValue {
        guard response.status == 200 else { throw refusal(response, purpose) }
        guard let json = response.json, json.object != nil else {
            throw SDKRefusal(.init("RESPONSE_PARSE_ERROR", 5), response, code: nil)
        }
        return json
    }

    /// - Parameter address: below the base, or in full as the server tells addresses.
    func send(
        _ method: String, _ address: String, _ body: JSONValue?, using services: DeviceServices
    ) throws -> DeviceResponse {
        let parts = try path(of: address).split(separator: "?", maxSplits: 1).map(String.init)
        var request = DeviceRequest(
            method: method, parts.first ?? "/", query: parts.count > 1 ? parts[1] : nil, headers: headers)
        if let body {
            request.body = body.bytes
            if let type = contentType { request.headers.append(("Content-Type", type)) }
        }
        if faults.sendsTwice { _ = try services.send(request) }
        return try services.send(request)
    }

    /// What stands behind the base.
    ///
    /// - Throws: ``DeviceError`` for another host: the native SDK speaks to none that the app has not named.
    private func path(of address: String) throws -> String {
        if address.hasPrefix("/") { return address }
        guard address.hasPrefix(configuration.base + "/") else {
            throw DeviceError("UNTRUSTED_DOMAIN_ERROR (18): “\(address)” is not below \(configuration.base)")
        }
        return String(address.dropFirst(configuration.base.count))
    }

    private var headers: [(name: String, value: String)] {
        switch generation {
        case .classic:
            [("Accept", "text/plain")] + (configuration.clientID.map { [("X-MIRACL-Client-ID", $0)] } ?? [])
        case .mfa:
            [("Accept", "text/plain")] + (configuration.project.map { [("X-MIRACL-CID", $0)] } ?? [])
        case .olderTrust, .trust: [("X-MIRACL-CLIENT", "Understudy phone")]
        }
    }

    /// What is said of a body; the SDK for iOS says nothing.
    private var contentType: String? {
        switch generation {
        case .classic, .mfa: "application/json; charset=UTF-8"
        case .olderTrust: nil
        case .trust: "application/json"
        }
    }

    static func query(_ pairs: [(name: String, value: String)]) -> String { "?" + Form.encode(pairs) }

    /// An address among the settings.
    ///
    /// - Throws: ``DeviceError`` before ``setBackend(using:)``.
    func address(_ name: String) throws -> String {
        guard let settings else { throw DeviceError("the device was told no back end yet") }
        return try settings.text(name)
    }

    /// `SetBackend`: fetches the addresses that the first two generations need.
    package mutating func setBackend(using services: DeviceServices) throws {
        let path = generation == .classic ? "/rps/clientSettings" : "/rps/v2/clientSettings"
        settings = try get(path, for: .settings, using: services)
    }
}
