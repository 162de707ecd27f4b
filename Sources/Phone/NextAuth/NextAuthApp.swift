import DeviceKit
import Essentials
import NextAuthDevice
package import PlatformKit

/// An app with a stub of nextAuth's Mobile SDK, which speaks the open device protocol: enrolment, logins by code and push, AppLogin with
/// its pings, transactions, PIN and biometrics.
///
/// Sources: nextAuth's documentation of the Mobile SDK for the order of things and the names of results; the numbers of errors are the
/// open protocol's. Not emulated: headless accounts, a choice between several accounts for one server (the newest is taken), transactions
/// that a device starts.
package final class NextAuthApp: PhoneApp {
    package static let platform = "nextauth"
    package static let title = "nextAuth"

    /// What an app that was installed keeps.
    package struct Kept: Codable {
        let mount: String
        var pin: String
        var device: NextAuthDevice
        /// What waits for an answer, oldest first.
        var flows: [WaitingFlow] = []
        /// When the next ping of a session is due, by its id; by the world's clock.
        var pings: [String: Date] = [:]
        /// When the person last did something, by the world's clock.
        var touchedAt: Date
        var appLoginAt: Date?
        /// Of the second factor, as the server told it last: `SUCCESS`, `WRONG`, `BLOCKED`.
        var factorResult: String?
    }

    struct WaitingFlow: Codable {
        var flow: NextAuthDevice.Flow
        /// The push that began it.
        var message: NextAuthDevice.Message?

        /// By which people answer.
        var id: String { message?.id ?? flow.id }
    }

    package let handset: Handset
    package var kept: Kept?
    let carrier: Carrier

    package init(_ kept: Kept?, on handset: Handset) {
        (self.kept, self.handset) = (kept, handset)
        carrier = Carrier(handset) { request in
            request.path.contains("/flows/") && Self.steps.contains { request.path.hasSuffix($0) }
        }
    }

    /// By which a flow goes on, and ends.
    private static let steps = ["/confirm", "/secondfactor", "/complete", "/cancel"]

    package static func isEnrolled(_ kept: Kept) -> Bool { !kept.device.accounts.isEmpty }
    package var notEnrolledError: String? { "NO_ACCOUNTS_FOR_SERVER (34)" }

    /// Does what the SDK does, with what is kept; what it has changed by then stays also when it fails.
    func asking<Value>(_ body: (inout Kept, DeviceServices) throws -> Value) throws -> Value {
        guard var kept else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: notEnrolledError)
        }
        defer { self.kept = kept }
        return try line(to: kept.mount).asking { try body(&kept, $0) }
    }

    private func line(to mount: String) -> DeviceLine {
        // Sessions of the SDK end in this state, whatever the reason.
        DeviceLine(handset: handset, carrier: carrier, mount: mount, networkError: "Session.State.ERROR")
    }

    /// The installation, made when there is none.
    func install(_ typed: TypedIn) throws {
        guard kept == nil else { return }
        guard let mount = handset.configurations.first?.mount else {
            throw PhoneRefusal.notConfigured(Self.title)
        }
        let phone = handset.phone
        var device = try line(to: mount).asking {
            try NextAuthDevice.install(
                platform: phone.model.rawValue, name: handset.deviceName, pushToken: handset.pushToken,
                using: $0)
        }
        if !typed.usesBiometry { device.config.biometricsDisabled = true }
        kept = Kept(
            mount: mount, pin: typed.pin ?? TypedIn.standardPIN, device: device,
            touchedAt: handset.worldNow)
    }

    package func facts(of kept: Kept) -> [ConsoleRecord.Fact] {
        let device = kept.device
        let accounts = device.accounts.map { account in
            ConsoleRecord.Fact(
                "Account \(account.id)", account.username + (account.userID.map { ", \($0)" } ?? ""))
        }
        let sessions = device.sessions.map { session in
            ConsoleRecord.Fact(
                session.isAppLogin ? "AppLogin" : "Session",
                "\(session.id), ping before \(kept.pings[session.id].map(Timestamp.text) ?? "")")
        }
        return [
            .init("State", device.appLogin == nil ? "LOGGED_OUT" : "LOGGED_IN"),
            .init("Installation", device.id), .init("PIN", kept.pin),
            .init("Biometrics", device.hasBiometry ? "set up" : "none"),
            .init("Second factor", kept.factorResult ?? ""),
            .init("Web nonce", device.appLogin?.webNonce ?? ""),
        ] + accounts + sessions
    }

    /// The PIN that was set up, or one that is surely another.
    func credential(_ way: PhoneAnswer.Way, typed: String? = nil) -> NextAuthDevice.Credential {
        let pin = typed ?? kept?.pin ?? ""
        return switch way {
        case .pin, .possession: .pin(pin)
        case .wrongPIN: .pin(String(pin.reversed()) == pin ? pin + "0" : String(pin.reversed()))
        case .biometry: .biometry
        }
    }
}
