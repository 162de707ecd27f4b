import Crypto
package import Essentials
import HTTP
package import PlatformKit
import DeviceKit
import PowerAuthDevice

/// An app with Wultra's PowerAuth Mobile SDK and Mobile Token: activation by code, operations with and without a network, inbox, pushes,
/// tokens. What it is built with comes from the platform's configuration for apps, like that of a real one.
///
/// Sources: PowerAuth documentation; Mobile Token API; the names of errors from `WPNKnownRestApiError` and `PowerAuthErrorCode` of the
/// published SDKs. Not emulated: activation by OpenID Connect and recovery codes, the vault, protocol 4.0.
package final class PowerAuthApp: PhoneApp {
    package static let platform = "powerauth"
    package static let title = "Wultra PowerAuth"

    /// What an app that was activated keeps.
    struct Kept: Codable {
        let application: String
        /// `mobileSdkConfig`
        let configuration: String
        let mount: String
        let version: Device.Version
        let pin: String
        var activation: Activation?
        var tokens: [String: Token] = [:]
        /// Milliseconds that the server's clock is ahead of the phone's, as long as that has ``clockSkew``.
        var clockOffset: Int?
        var clockSkew = 0
        /// As the server told it last: `ACTIVE`.
        var state = "PENDING_COMMIT"
        var failedAttempts = 0
        var isPushed = false
        /// What waits, as the server told it.
        var operations: [JSONValue] = []
        /// What was scanned, by the id of the operation.
        var nearness: [String: Nearness] = [:]
        /// Texts of QR codes that wait for an answer, by the id of the operation.
        var offline: [String: String] = [:]
    }

    /// The code that was on the screen beside an operation.
    struct Nearness: Codable {
        let otp: String
        let isLink: Bool
    }

    let handset: Handset
    var kept: Kept?
    /// Why the server refused last, as it told for developers.
    private(set) var explanation: String?
    private var living: Device?

    package init(_ kept: JSONValue?, on handset: Handset) throws {
        self.handset = handset
        self.kept = try kept.map { try JSONDecoder().decode(Kept.self, from: Data($0.bytes)) }
    }

    package static func isKept(_ state: JSONValue) -> Bool {
        // Why it is not would be a sentence of the decoder's that helps nobody.
        (try? JSONDecoder().decode(Kept.self, from: Data(state.bytes))) != nil
    }

    package func keep() throws -> JSONValue? {
        guard var kept else { return nil }
        if let living {
            (kept.activation, kept.tokens, kept.clockOffset) = (
                living.activation, living.tokens, living.clockOffset
            )
            kept.clockSkew = handset.phone.clockSkew
        }
        return try JSONValue(parsing: [UInt8](JSONEncoder().encode(kept)))
    }

    package var isEnrolled: Bool { kept?.activation != nil }
    package var isWaiting: Bool { isEnrolled && kept?.state == "PENDING_COMMIT" }

    /// The SDK's side, as it was left.
    func device() throws -> Device {
        if let living { return living }
        guard let kept, kept.activation != nil else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: sdkName("missingActivation"))
        }
        let device = try makeDevice(kept)
        (device.activation, device.tokens) = (kept.activation, kept.tokens)
        // The SDK hears of a clock that was set, and compares it with the server's anew.
        device.clockOffset = kept.clockSkew == handset.phone.clockSkew ? kept.clockOffset : nil
        living = device
        return device
    }

    /// The same, which knows the server's time, as the SDK makes sure before it uses a token.
    func synchronisedDevice() throws -> Device {
        let device = try device()
        if device.clockOffset == nil { _ = try asking { try device.serverStatus() } }
        return device
    }

    func makeDevice(_ kept: Kept) throws -> Device {
        Device(
            try MobileConfiguration(parsing: kept.configuration), version: kept.version,
            style: handset.phone.model == .ios ? .ios : .android,
            clock: { [handset] in handset.milliseconds },
            random: { [handset] in handset.draw($0) }
        ) { [unowned self] in try carry($0, to: kept.mount) }
    }

    /// From now on this is the SDK's side.
    func adopt(_ device: Device, _ kept: Kept) {
        (living, self.kept) = (device, kept)
        self.kept?.activation = device.activation
    }

    private func carry(_ request: DeviceRequest, to mount: String) throws -> DeviceResponse {
        let path = "/" + mount + request.path + (request.query.map { "?" + $0 } ?? "")
        let response = try handset.send(request.method, path, headers: request.headers, body: request.body)
        // Every refusal has one, so that it is never that of another.
        explanation = response.headers[Handset.explanation] ?? explanation
        return DeviceResponse(
            status: response.status.code, headers: response.headers.fields.map { ($0.name, $0.value) },
            body: response.bytes)
    }

    package var facts: [ConsoleRecord.Fact] {
        guard let kept, let activation = kept.activation else { return [] }
        let factors = ["possession", "knowledge"] + (activation.biometryKey == nil ? [] : ["biometry"])
        return [
            .init("Activation", activation.id), .init("Application", kept.application),
            .init("State", kept.state), .init("Failed attempts", String(kept.failedAttempts)),
            .init("Fingerprint", activation.fingerprint), .init("PIN", kept.pin),
            .init("Factors", factors.joined(separator: ", ")),
            .init("Counter", "\(activation.counter.count), \(Base64.encode(activation.counter.data))"),
            .init("Protocol", kept.version.rawValue),
            .init("Tokens", kept.tokens.keys.sorted().joined(separator: ", ")),
            .init("Server's public key", Base64.encode(activation.serverKey)),
        ].filter { !$0.value.isEmpty }
    }

    package func sign(_ order: SigningOrder) throws -> [(name: String, value: String)] {
        guard order.token != nil || !order.uriID.isEmpty else {
            throw PhoneRefusal(
                .malformed, "PowerAuth signs for a resource: give its agreed name as uriId, or a token.")
        }
        let device = try order.token == nil ? device() : synchronisedDevice()
        return try asking {
            let credential = credential(order.way)
            if let token = order.token {
                if device.tokens[token] == nil { try device.createToken(token, with: credential) }
                return [("X-PowerAuth-Token", try device.tokenHeader(token))]
            }
            let text = order.method.uppercased() == "GET"
            let body = text ? Device.canonicalQuery(String(decoding: order.body, as: UTF8.self)) : order.body
            let value = try device.authorization(
                order.method.uppercased(), uriID: order.uriID, body: body, with: credential)
            return [("X-PowerAuth-Authorization", value)]
        }
    }

    package func messages() throws -> [PhoneMessage] {
        let device = try synchronisedDevice()
        return try asking { try device.messages().map(Self.shown) }
    }

    package func message(_ id: String) throws -> PhoneMessage {
        let device = try synchronisedDevice()
        return try asking {
            let message = try device.message(id)
            try device.markRead(id)
            return Self.shown(message)
        }
    }

    private static func shown(_ message: InboxMessage) -> PhoneMessage {
        PhoneMessage(
            id: message.id, platform: platform, subject: message.subject, summary: message.summary,
            body: message.body, isRead: message.isRead)
    }

    /// The PIN that was set up, or one that is surely another.
    func credential(_ way: PhoneAnswer.Way, typed: String? = nil) -> Credential {
        let pin = typed ?? kept?.pin ?? ""
        return switch way {
        case .pin: .pin(pin)
        case .wrongPIN: .pin(String(pin.reversed()) == pin ? pin + "0" : String(pin.reversed()))
        case .biometry: .biometry
        case .possession: .possession
        }
    }
}
