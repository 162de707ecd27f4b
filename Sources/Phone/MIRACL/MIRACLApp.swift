import DeviceKit
package import Essentials
import HTTP
import MIRACLDevice
package import PlatformKit

/// An app with one of MIRACL's SDKs: the classic one of Milagro, MIRACL MFA or MIRACL Trust. It registers by a mail or a code of another
/// phone, logs in by QR code and push, shows one-time passwords and quick codes, and signs documents.
///
/// The app is built with the address that the platform hands out, which is asked for once, and again when the phone finds the program
/// elsewhere. A new secret that the server asks for is fetched by the SDK itself.
///
/// Sources: as ``MIRACLDevice``; the samples of the vendor for what an app asks its user. Not emulated: access numbers.
package final class MIRACLApp: PhoneApp {
    package static let platform = "miracl"
    package static let title = "MIRACL"

    /// What an app that somebody registered with keeps.
    package struct Kept: Codable {
        let mount: String
        /// Where the phone found the program when it was told the addresses.
        var origin: String
        /// Chosen at the end of the registration.
        let pin: String
        var device: MIRACLDevice
        /// The mail was asked for, and nobody has confirmed it yet.
        var isRegistering = false
        var waiting: Patience?
        /// What waits for an answer, oldest first.
        var orders: [Order] = []
    }

    package let handset: Handset
    package var kept: Kept?
    let carrier: Carrier

    package init(_ kept: Kept?, on handset: Handset) {
        (self.kept, self.handset) = (kept, handset)
        carrier = Carrier(handset, decides: Self.decides)
    }

    package static func isEnrolled(_ kept: Kept) -> Bool { kept.device.state == .registered }

    /// The first two generations ask whether the mail was confirmed; the third is given its code.
    package var isWaiting: Bool { kept.map { $0.isRegistering && !$0.device.isTrust } ?? false }

    package var dueAt: Date? { isWaiting ? kept?.waiting?.dueAt : nil }

    package func keepUp() throws {
        kept?.waiting?.askedAt = handset.worldNow
        try refresh()
    }

    /// Does what the SDK does, with what is kept; what it has changed by then stays also when it fails.
    func asking<Value>(_ body: (inout Kept, DeviceServices) throws -> Value) throws -> Value {
        guard var kept else { throw PhoneRefusal.notEnrolled(handset.phone, sdkError: nil) }
        defer { self.kept = kept }
        let line = line(to: kept.mount, isTrust: kept.device.isTrust)
        if kept.origin != handset.base {
            let base = try address(of: kept.device.configuration.project, at: kept.mount)
            try line.asking { try kept.device.move(to: base, using: $0) }
            kept.origin = handset.base
        }
        return try line.asking { try body(&kept, $0) }
    }

    func line(to mount: String, isTrust: Bool) -> DeviceLine {
        DeviceLine(
            handset: handset, carrier: carrier, mount: mount,
            networkError: isTrust ? "AuthenticationException.AuthenticationFail" : "NETWORK_ERROR (4)")
    }

    /// The address that the platform hands out, which an app is built with.
    func address(of project: String?, at mount: String) throws -> String {
        let headers = project.map { [(name: "X-MIRACL-CID", value: $0)] } ?? []
        return try line(to: mount, isTrust: true).asking { services in
            let answer = try services.send(
                DeviceRequest(method: "GET", "/service", headers: headers))
            guard answer.status == 200, let told = answer.json else {
                throw DeviceError("the platform answered \(answer.status) to the question for its address")
            }
            return try told.text("url")
        }
    }

    package func facts(of kept: Kept) -> [ConsoleRecord.Fact] {
        let device = kept.device
        let keys = [
            device.identity.map { ("Identity", $0) }, device.signing.map { ("Signing identity", $0) },
        ]
        let tokens = keys.compactMap(\.self).flatMap { title, token in
            [
                ConsoleRecord.Fact(title, token.mpinID), .init("Token", token.token),
                .init("Public key", token.publicKey),
            ]
        }
        return
            ([
                .init("State", device.state.rawValue), .init("User", device.userID),
                .init("Project", device.configuration.project ?? ""),
                .init("SDK", device.configuration.generation.rawValue), .init("PIN", kept.pin),
                .init("Address", device.configuration.base),
            ] + tokens).filter { !$0.value.isEmpty }
    }
}
