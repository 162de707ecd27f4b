import DeviceKit
package import Essentials
import NextAuthDevice
package import PlatformKit

// AppLogin, and what else the person begins.
extension NextAuthApp {
    private enum Verb: String {
        case logIn = "applogin"
        case stop, use
        case changePIN = "change_pin"
        case deleteAccount = "delete_account"
    }

    package var actions: [ConsoleRecord.Action] {
        guard isEnrolled else { return [] }
        let login = ConsoleRecord.Action(
            Verb.logIn.rawValue, "AppLogin",
            inputs: [
                .init("inactivity_timeout", "Log out after this many seconds without use"),
                .init("applogin_timeout", "Log out after this many seconds"),
            ])
        let running = [
            ConsoleRecord.Action(Verb.stop.rawValue, "Stop the AppLogin"),
            ConsoleRecord.Action(Verb.use.rawValue, "Use the app"),
        ]
        return (kept?.device.appLogin == nil ? [login] : running) + [
            ConsoleRecord.Action(
                Verb.changePIN.rawValue, "Change the PIN",
                inputs: [.init("pin", "New PIN", isRequired: true)]),
            ConsoleRecord.Action(Verb.deleteAccount.rawValue, "Delete the account", isFinal: true),
        ]
    }

    package func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport {
        guard let verb = Verb(rawValue: action) else { throw unknown(action) }
        kept?.touchedAt = handset.worldNow
        switch verb {
        case .logIn: return try startAppLogin(inputs)
        case .stop: return try stop()
        case .use:
            return PhoneReport("done", "", "the app was used, which its inactivity timeout counts from.")
        case .changePIN: return try changePIN(inputs)
        case .deleteAccount: return try deleteAccount()
        }
    }

    /// Done at once where no second factor is asked.
    private func startAppLogin(_ inputs: [String: String]) throws -> PhoneReport {
        kept?.device.config.inactivityTimeout = try Self.seconds("inactivity_timeout", inputs)
        kept?.device.config.appLoginTimeout = try Self.seconds("applogin_timeout", inputs)
        let id = try asking { kept, services in
            let flow = try kept.device.startAppLogin(using: services)
            kept.flows.removeAll { $0.flow.type == "APPLOGIN" }
            kept.flows.append(WaitingFlow(flow: flow))
            return flow.interaction == nil ? nil : flow.id
        }
        guard let id else { return try answer(kept?.flows.last?.id ?? "", PhoneAnswer(.approve)) }
        return PhoneReport("applogin", id, "the AppLogin is waiting for PIN or biometrics as \(id).")
    }

    private static func seconds(_ name: String, _ inputs: [String: String]) throws -> Int? {
        guard let text = inputs[name], !text.isEmpty else { return nil }
        guard let seconds = Int(text), 1...31_536_000 ~= seconds else {
            throw PhoneRefusal(
                .malformed,
                "The value “\(name)” is “\(text.prefix(40))”, expected seconds from 1 to 31536000.")
        }
        return seconds
    }

    private func stop() throws -> PhoneReport {
        try asking { kept, services in
            guard let session = kept.device.appLogin else { throw DeviceError("no AppLogin runs") }
            try kept.stop(session, "USER", using: services)
            return PhoneReport("done", session.id, "the AppLogin \(session.id) was stopped.")
        }
    }

    private func changePIN(_ inputs: [String: String]) throws -> PhoneReport {
        guard let pin = inputs["pin"], !pin.isEmpty, pin.count <= 32 else {
            throw PhoneRefusal(.malformed, "Give the new “pin”, 1 to 32 characters.")
        }
        try asking { kept, services in
            try kept.device.changePIN(from: .pin(kept.pin), to: pin, using: services)
            kept.pin = pin
        }
        return PhoneReport("done", "", "the app has the PIN \(pin) now.")
    }

    private func deleteAccount() throws -> PhoneReport {
        try asking { kept, services in
            guard let account = kept.device.accounts.last else {
                throw DeviceError("the app has no account")
            }
            try kept.device.deleteAccount(account.id, using: services)
            kept.forgetEnded()
            return PhoneReport(
                "done", String(account.id), "the account \(account.id), \(account.username), was deleted.")
        }
    }
}

// What the app does by itself.
extension NextAuthApp {
    package var dueAt: Date? {
        guard let kept else { return nil }
        return (Array(kept.pings.values) + kept.deadlines.map(\.at)).min()
    }

    package func keepUp() throws {
        let now = handset.worldNow
        let failure = try asking { kept, services in
            let failure = try kept.ping(at: now, skew: handset.phone.clockSkew, using: services)
            if let session = kept.device.appLogin,
                let over = kept.deadlines.filter({ $0.at <= now }).min(by: { $0.at < $1.at })
            {
                try kept.stop(session, over.reason, using: services)
            }
            kept.forgetEnded()
            return failure
        }
        if let failure { throw failure }
    }
}

extension NextAuthApp.Kept {
    /// When the app itself ends its AppLogin, and as what.
    fileprivate var deadlines: [(at: Date, reason: String)] {
        guard device.appLogin != nil else { return [] }
        let idle = device.config.inactivityTimeout.map { (touchedAt + Double($0), "INACTIVITY") }
        let long = device.config.appLoginTimeout.flatMap { seconds in
            appLoginAt.map { ($0 + Double(seconds), "APPLOGIN_TIMEOUT") }
        }
        return [idle, long].compactMap(\.self)
    }

    /// Sends the pings that are due.
    ///
    /// - Parameter skew: seconds that the phone's clock is ahead.
    /// - Returns: why the last of them was refused.
    fileprivate mutating func ping(
        at now: Date, skew: Int, using services: DeviceServices
    ) throws -> PhoneRefusal? {
        var failure: PhoneRefusal?
        for id in pings.filter({ $0.value <= now }).keys.sorted() {
            pings[id] = now + Self.pause
            do {
                let next = try device.ping(
                    id, activity: touchedAt.addingTimeInterval(Double(skew)), using: services)
                pings[id] = now + Double(next)
            } catch let refusal as SDKRefusal {
                failure = PhoneRefusal(
                    .refused, sdkError: refusal.sdk.text,
                    "The session \(id) has ended: the platform answered \(refusal.status) \(refusal.code ?? "") to the ping."
                )
            }
        }
        return failure
    }

    /// Seconds until a ping that was not answered is tried again.
    private static let pause = 10.0

    /// One that has ended already is forgotten.
    fileprivate mutating func stop(
        _ session: NextAuthDevice.Session, _ reason: String, using services: DeviceServices
    ) throws {
        defer { forgetEnded() }
        do {
            try device.stop(session.id, reason: reason, using: services)
        } catch let refusal as SDKRefusal where refusal.status == 404 {
            _ = try device.events(using: services)
            throw refusal
        }
    }
}
