import Crypto
package import Essentials
import HTTP
package import PlatformKit
import DeviceKit
import PowerAuthDevice

/// An app with Wultra's PowerAuth Mobile SDK and Mobile Token: activation by code, OpenID Connect and recovery code, vault, operations with and without a network, inbox, pushes,
/// tokens. What it is built with comes from the platform's configuration for apps, like that of a real one.
///
/// Sources: PowerAuth documentation; Mobile Token API; the names of errors from `WPNKnownRestApiError` and `PowerAuthErrorCode` of the
/// published SDKs.
package final class PowerAuthApp: PhoneApp {
    package static let platform = "powerauth"
    package static let title = "Wultra PowerAuth"

    /// What an app that was activated keeps.
    package struct Kept: Codable {
        let application: String
        /// `mobileSdkConfig`, or that of SDK 2.x.
        var configuration: String
        let mount: String
        /// Of an activation of protocol 3.
        let version: Device.Version
        /// The suite of SDK 2.x; nil with SDK 1.9, and for its legacy.
        var algorithm: Protocol4.Algorithm?
        var pin: String
        var activation: Activation?
        var tokens: [String: Token] = [:]
        /// Milliseconds that the server's clock is ahead of the phone's, as long as that has ``clockSkew``.
        var clockOffset: Int?
        var clockSkew = 0
        var waiting: Patience?
        /// As the server told it last: `ACTIVE`.
        var state = "PENDING_COMMIT"
        var failedAttempts = 0
        /// Whether the server offers protocol 4.0 to an activation of 3.3.
        var isUpgradable: Bool?
        var isPushed = false
        /// What waits, as the server told it.
        var operations: [JSONValue] = []
        /// What was scanned, by the id of the operation.
        var nearness: [String: Nearness] = [:]
        /// Code and PUK with which a lost phone is replaced.
        var recovery: [String]?
        var login: OpenLogin?
        /// Texts of QR codes that wait for an answer, by the id of the operation.
        var offline: [String: String] = [:]
    }

    /// The code that was on the screen beside an operation.
    struct Nearness: Codable {
        let otp: String
        let isLink: Bool
    }

    package let handset: Handset
    package var kept: Kept?
    let carrier: Carrier
    private var living: Device?

    package init(_ kept: Kept?, on handset: Handset) {
        (self.kept, self.handset) = (kept, handset)
        carrier = Carrier(handset) { $0.path.hasSuffix("/authorize") || $0.path.hasSuffix("/cancel") }
    }

    package var written: Kept? {
        guard var kept else { return nil }
        if let living {
            (kept.activation, kept.tokens, kept.clockOffset) = (
                living.activation, living.tokens, living.clockOffset
            )
            kept.clockSkew = handset.phone.clockSkew
        }
        return kept
    }

    package static func isEnrolled(_ kept: Kept) -> Bool { kept.activation != nil }

    package var dueAt: Date? {
        isEnrolled && kept?.state == "PENDING_COMMIT" ? kept?.waiting?.dueAt : nil
    }

    package func keepUp() throws {
        kept?.waiting?.askedAt = handset.worldNow
        try refresh()
    }

    package var notEnrolledError: String? { sdkName("missingActivation") }

    var hasNoBiometry: Bool { (living?.activation ?? kept?.activation)?.biometryKey == nil }

    /// The SDK's side, as it was left.
    func device() throws -> Device {
        if let living { return living }
        let device = try copy()
        living = device
        return device
    }

    /// Another one that has what was kept, and of which nothing is.
    func copy() throws -> Device {
        guard let kept, kept.activation != nil else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: notEnrolledError)
        }
        let device = try makeDevice(kept)
        (device.activation, device.tokens) = (
            living?.activation ?? kept.activation, living?.tokens ?? kept.tokens
        )
        // The SDK hears of a clock that was set, and compares it with the server's anew.
        device.clockOffset = kept.clockSkew == handset.phone.clockSkew ? kept.clockOffset : nil
        return device
    }

    /// The same, which knows the server's time, as the SDK makes sure before it uses a token.
    func synchronisedDevice() throws -> Device {
        let device = try device()
        if device.clockOffset == nil { _ = try asking(.sdk) { try device.serverStatus() } }
        return device
    }

    func makeDevice(_ kept: Kept) throws -> Device {
        Device(
            try MobileConfiguration(parsing: kept.configuration), version: kept.version,
            algorithm: kept.algorithm, style: handset.phone.model == .ios ? .ios : .android,
            clock: { [handset] in handset.milliseconds },
            random: { [handset] in handset.draw($0) }
        ) { [carrier] in try carrier.carry($0, to: kept.mount) }
    }

    /// From now on this is the SDK's side.
    func adopt(_ device: Device, _ kept: Kept) {
        (living, self.kept) = (device, kept)
        self.kept?.activation = device.activation
        self.kept?.waiting = Patience(since: handset.worldNow)
    }

    /// The same activation, in an app that was updated.
    func replace(_ device: Device, _ kept: Kept) {
        (living, self.kept) = (device, kept)
        self.kept?.activation = device.activation
        if device.isOfFourth { self.kept?.isUpgradable = nil }
    }

    package func facts(of kept: Kept) -> [ConsoleRecord.Fact] {
        guard let activation = kept.activation else { return [] }
        let factors = ["possession", "knowledge"] + (activation.biometryKey == nil ? [] : ["biometry"])
        return [
            .init("Activation", activation.id), .init("Application", kept.application),
            .init("State", kept.state), .init("Failed attempts", String(kept.failedAttempts)),
            .init("Fingerprint", activation.fingerprint), .init("PIN", kept.pin),
            .init("Factors", factors.joined(separator: ", ")),
            .init("Counter", "\(activation.counter.count), \(Base64.encode(activation.counter.data))"),
            .init(
                "Protocol",
                activation.algorithm.map { "4.0, \($0.rawValue)" } ?? kept.version.rawValue),
            .init("Recovery code, PUK", (kept.recovery ?? []).joined(separator: ", ")),
            .init("Tokens", kept.tokens.keys.sorted().joined(separator: ", ")),
            .init("Server's public key", Base64.encode(activation.serverKey)),
        ]
    }

    package func sign(_ order: SigningOrder) throws -> [(name: String, value: String)] {
        guard order.token != nil || !order.uriID.isEmpty else {
            throw PhoneRefusal(
                .malformed, "PowerAuth signs for a resource: give its agreed name as uriId, or a token.")
        }
        let device = try order.token == nil ? device() : synchronisedDevice()
        return try asking(.sdk) {
            let credential = credential(order.way, typed: order.pin)
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
