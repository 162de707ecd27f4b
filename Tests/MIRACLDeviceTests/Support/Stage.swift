import Crypto
import DeviceKit
import Essentials
import HTTP
import MIRACL
import MIRACLDevice
import PlatformKit
import TestKit
import Testing

/// A server of MIRACL with one project, its users' mailbox, browser and back end, and the way of a device to it.
struct Stage {
    static let base = "http://localhost:8420/miracl"
    static let user = "ada@example.org"
    static let pin = "1234"
    static let wrong = "4321"

    let bench: TestBench<MIRACL>

    /// - Parameters:
    ///   - settings: members of the project, each with a comma behind it.
    ///   - backoff: seconds between two mails.
    ///   - others: further projects, each with a comma before it.
    init(_ settings: String = "", backoff: Int = 0, others: String = "") throws {
        bench = try TestBench(
            MIRACL.self,
            fixtures: """
                { "miracl": { "projects": [ {
                    "id": "blue", "name": "Blue", "backoff": \(backoff), \(settings)
                    "applications": [ { "client_id": "shop", "client_secret": "shop-secret",
                        "redirect_uris": ["https://shop.example/login"] } ],
                    "service_accounts": [ { "name": "back end", "token": "blue-token" } ] }\(others) ] } }
                """)
    }

    var services: DeviceServices { services { _ in } }

    /// - Parameter change: what happens to a request before it is sent.
    func services(_ change: @escaping (inout DeviceRequest) throws -> Void) -> DeviceServices {
        let entropy = Entropy.system
        return DeviceServices(
            clock: { [bench] in bench.clock.now }, random: { entropy.bytes($0, "phone") },
            transport: { [bench] sent in
                var request = sent
                try change(&request)
                var headers = Headers()
                for (name, value) in request.headers { headers.add(name, value) }
                let response = bench.send(
                    Request(
                        .init(rawValue: request.method), "/miracl" + request.path, query: request.query,
                        headers: headers, body: request.body))
                return DeviceResponse(status: response.status.code, body: response.bytes)
            })
    }

    func device(
        _ generation: MIRACLDevice.Generation, user: String = user, project: String = "blue"
    ) -> MIRACLDevice {
        MIRACLDevice(
            .init(
                generation, base: Self.base, project: project,
                clientID: generation == .classic ? "shop" : nil), userID: user)
    }

    /// A device whose user has chosen the PIN.
    func registered(
        _ generation: MIRACLDevice.Generation, user: String = user, project: String = "blue"
    ) throws -> MIRACLDevice {
        var device = device(generation, user: user, project: project)
        if [.trust, .olderTrust].contains(generation) {
            try device.register(activationToken: activationToken(device), pin: Self.pin, using: services)
        } else {
            try device.setBackend(using: services)
            try device.startRegistration(using: services)
            if device.state == .startedRegistration { try openMail() }
            try device.confirmRegistration(using: services)
            try device.finishRegistration(pin: Self.pin)
        }
        return device
    }

    func activationToken(_ device: MIRACLDevice) throws -> String {
        _ = try device.askForMail(using: services)
        return try device.confirm(code: newestCode(), using: services).token
    }

    func newestCode() throws -> String { try #require(bench.messages.first?.message.code) }

    /// Follows the link of the newest mail and presses the button behind it.
    func openMail() throws {
        let link = try #require(bench.messages.first?.message.link)
        let query = try #require(link.split(separator: "?").last)
        let pressed = bench.send(
            .post, "/miracl/verification/confirmation", body: Array(query.utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(pressed.status == .ok, "\(pressed.text)")
    }

    /// What a page of the customer shows, and asks while it waits.
    func openSession(_ more: [String: JSONValue] = [:]) throws -> (qr: String, webOTT: String) {
        let body: [String: JSONValue] = ["projectId": "blue"]
        let opened = try bench.post("/miracl/rps/v2/session", body.merging(more) { $1 })
        let json = try JSONValue(parsing: opened.bytes)
        return (try #require(json["qrURL"]?.string), try #require(json["webOTT"]?.string))
    }

    /// The same at the authorization endpoint, as OpenID Connect clients do.
    static let authorizeURL =
        base
        + "/authorize?client_id=shop&redirect_uri=https%3A%2F%2Fshop.example%2Flogin"
        + "&response_type=code&scope=openid%20email&state=s&nonce=n"

    func access(_ webOTT: String) throws -> JSONValue {
        let answer = try bench.post("/miracl/rps/v2/access", ["webOTT": webOTT])
        return try JSONValue(parsing: answer.bytes)
    }

    /// The status with which the customer's back end has a signature verified.
    func verify(_ signature: JSONValue, timestamp: Int? = nil) throws -> Status {
        let time = try #require(timestamp ?? signature["timestamp"]?.integer)
        let body: JSONValue = [
            "signature": signature, "timestamp": .integer(time), "type": "verification",
        ]
        return try bench.post("/miracl/dvs/verify", body, headers: basic).status
    }

    func checkOTP(_ otp: String) throws -> Status {
        try bench.post("/miracl/otp", ["userId": Self.user, "otp": otp], headers: basic).status
    }

    func change(_ action: String, _ record: String) throws {
        try MIRACL(bench.world).perform(action, onRecord: record, [:])
    }

    private var basic: Headers {
        ["Authorization": "Basic " + Base64.encode(Array("shop:shop-secret".utf8))]
    }
}

/// What `body` is refused with, as the SDK says it, and the HTTP status.
func refusal(_ body: () throws -> Void) throws -> String {
    let refusal = try #require(throws: SDKRefusal.self) { try body() }
    let number = refusal.sdk.number.map { " \($0)" } ?? ""
    return "\(refusal.status) \(refusal.sdk.name)\(number)"
}
