import Essentials
import DeviceKit
import HTTP
import OneginiDevice
package import PlatformKit

/// An app with the SDK of the Onegini Token Server: registers the device, logs the person in by a browser, is locked with a PIN, and takes
/// part in mobile authentication by QR code and push.
///
/// Sources: the vendor's documentation of the SDKs; errors by the names and numbers of the SDK for iOS, `ONGErrors.h`, whose numbers the SDK
/// for Android has too. Not emulated: fingerprint and custom authenticators, a login in a browser of one's own.
package final class OneginiApp: PhoneApp {
    package static let platform = "onegini"
    package static let title = "Onegini Token Server"

    /// What an app that registered its device keeps.
    package struct Kept: Codable {
        let mount: String
        /// Id of the user at the token server.
        let user: String
        var pin: String
        var device: OneginiDevice
        /// Why pushes do not come; nil when they do.
        var pushFault: String? = "mobile authentication is not enrolled"
        /// What waits for an answer, fetched and decrypted.
        var questions: [OneginiDevice.Question] = []
    }

    package let handset: Handset
    package var kept: Kept?
    private let wasKept: Bool
    let carrier: Carrier

    package init(_ kept: Kept?, on handset: Handset) {
        (self.kept, self.handset) = (kept, handset)
        carrier = Carrier(handset) { $0.path.hasSuffix("/answer") }
        wasKept = kept != nil
    }

    /// A device that never registered leaves nothing; one that the server dropped is kept as such.
    package var written: Kept? { wasKept || kept?.device.clientID != nil ? kept : nil }

    /// The user of the device.
    var profile: OneginiDevice.Profile? { kept?.device.profiles.first }
    package static func isEnrolled(_ kept: Kept) -> Bool { !kept.device.profiles.isEmpty }
    package var notEnrolledError: String? { Self.sdkName(9010) }

    package func facts(of kept: Kept) -> [ConsoleRecord.Fact] {
        guard let profile else { return [] }
        let push = kept.pushFault.map { "no pushes: \($0)" } ?? "by QR code and push"
        let configuration = kept.device.configuration
        return [
            .init("Device", kept.device.clientID ?? ""), .init("Application", configuration.application),
            .init("Version", "\(configuration.version) for \(configuration.platform)"),
            .init("User", kept.user), .init("Profile", profile.id),
            .init("State", kept.device.activeProfile == nil ? "logged out" : "logged in"),
            .init("Mobile authentication", profile.isEnrolled ? push : "not enrolled"),
            .init("PIN", kept.pin), .init("Access token", kept.device.accessToken ?? ""),
        ]
    }

    /// `Authorization: Bearer …`, for a resource gateway; with the PIN after a login, else with the token that is there.
    package func sign(_ order: SigningOrder) throws -> [(name: String, value: String)] {
        guard order.token == nil else {
            throw PhoneRefusal(.malformed, "An app for \(Self.title) has no tokens with names.")
        }
        let pin = try pin(order.way, typed: order.pin)
        return try asking { device, services in
            if let pin { try device.logIn(pin: pin, using: services) }
            guard let token = device.accessToken else {
                throw SDKRefusal(local: OneginiDevice.sdkError(9010))
            }
            return [("Authorization", "Bearer " + token)]
        }
    }
}

// What the SDK does.
extension OneginiApp {
    func services(at mount: String) -> DeviceServices {
        DeviceServices(
            clock: { [handset] in Date(unixMilliseconds: handset.milliseconds) },
            random: { [handset] in handset.draw($0) }
        ) { [carrier] in try carrier.carry($0, to: mount) }
    }

    /// Has the SDK do something; what it would report becomes a refusal of the phone.
    func asking<Value>(_ body: (inout OneginiDevice, DeviceServices) throws -> Value) throws -> Value {
        guard let kept else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: notEnrolledError)
        }
        var device = kept.device
        defer { self.kept?.device = device }
        do {
            return try body(&device, services(at: kept.mount))
        } catch let refusal as SDKRefusal {
            throw self.refusal(refusal)
        } catch let failure as WebCallFailed {
            let isOffline = handset.phone.network == .offline
            throw isOffline
                ? PhoneRefusal.offline(handset.phone, sdkError: Self.sdkName(9000))
                : PhoneRefusal(
                    .refused, sdkError: Self.sdkName(9001), "The platform does not answer: \(failure).")
        } catch let error as DeviceError {
            throw PhoneRefusal(
                .refused, sdkError: Self.sdkName(10000), "The SDK stopped: \(error.reason).")
        }
    }

    /// The same for what a user does who is logged in: the person types the PIN where the session is over.
    ///
    /// - Parameter pin: is typed in any case; nil for the right one, where it is needed.
    func asUser<Value>(
        typing pin: String? = nil, _ body: (inout OneginiDevice, DeviceServices) throws -> Value
    ) throws -> Value {
        guard let kept, isEnrolled else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: notEnrolledError)
        }
        return try asking { device, services in
            if pin != nil || device.activeProfile == nil {
                try device.logIn(pin: pin ?? kept.pin, using: services)
            }
            do {
                return try body(&device, services)
            } catch let refusal as SDKRefusal where refusal.sdk.number == 9010 {
                try device.logIn(pin: kept.pin, using: services)
                return try body(&device, services)
            }
        }
    }

    /// As the header of the SDK names it, with its number.
    static func sdkName(_ number: Int) -> String { "\(OneginiDevice.sdkError(number).name) \(number)" }

    private func refusal(_ refusal: SDKRefusal) -> PhoneRefusal {
        let name = [refusal.sdk.name, refusal.sdk.number.map(String.init)].compactMap(\.self)
            .joined(separator: " ")
        if refusal.status == 0 {
            let why = refusal.sdk.number.flatMap { Self.ownReasons[$0] } ?? "it does not go on"
            return PhoneRefusal(.refused, sdkError: name, "The SDK sent no request: \(why).")
        }
        return PhoneRefusal(
            .refused, sdkError: name,
            ["The platform answered \(refusal.status) \(refusal.code ?? "no code").", carrier.explanation]
                .compactMap(\.self).joined(separator: " "))
    }

    /// Why the SDK refuses by itself.
    private static let ownReasons = [
        9010: "no user is logged in", 9011: "the PIN is one that the application forbids",
        9012: "the PIN is a sequence", 9013: "the PIN has too many equal digits in a row",
        9014: "the PIN does not have the required length, or is not all digits",
        9021: "mobile authentication is not enrolled",
        10002: "the browser came back from a login that did not start here",
    ]

    /// What the person types; nil for nothing.
    func pin(_ way: PhoneAnswer.Way, typed: String?) throws -> String? {
        let right = kept?.pin ?? ""
        switch way {
        case .possession: return typed
        case .pin: return typed ?? right
        case .wrongPIN:
            let last = right.last?.wholeNumberValue ?? 0
            return String(right.dropLast()) + String((last + 1) % 10)
        case .biometry: throw PhoneRefusal(.refused, "An app for \(Self.title) has no biometry here.")
        }
    }
}
