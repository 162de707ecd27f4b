import Crypto
import DeviceKit
import Essentials
import NextAuthDevice
import PlatformKit

extension NextAuthApp {
    package static let faults: [PhoneAnswer.Fault] = [
        .twice, .changedCounter, .stolenKey, .otherData, .unasked,
    ]

    package func answer(_ id: String, _ answer: PhoneAnswer) throws -> PhoneReport {
        let known = kept?.flows.first { $0.id == id }
        guard let waiting = try known ?? (answer.fault == .unasked ? unasked(id) : nil) else {
            throw PhoneRefusal.requestUnknown(id, handset.phone)
        }
        let request = Self.request(waiting, kept)
        let way = answer.way ?? request.ways.first ?? .pin
        kept?.touchedAt = handset.worldNow
        // Who has a copy of the keys was told no PIN, and reaches none of the biometric key either.
        let credential: NextAuthDevice.Credential =
            answer.fault == .stolenKey ? .pin("") : credential(way, typed: answer.pin)
        let now = handset.worldNow
        try carrier.sending(answer) {
            try asking { try $0.answer(waiting, answer, with: credential, at: now, using: $1) }
        }
        kept?.flows.removeAll { $0.id == id }
        let note = carrier.note(on: answer)
        guard answer.verdict == .approve else {
            return PhoneReport("declined", id, "“\(request.title)” (\(id)) was declined\(note).")
        }
        return PhoneReport(
            "approved", id, code: request.kind == "applogin" ? kept?.device.appLogin?.webNonce : nil,
            "“\(request.title)” (\(id)) was approved by \(way.rawValue)\(note).")
    }

    /// Begins the flow of a push by its id where the server allows that; else the id is taken for that of a flow.
    private func unasked(_ id: String) throws -> WaitingFlow {
        try asking { kept, services in
            for type in ["LOGIN", "TRANSACTION"] {
                let message = NextAuthDevice.Message(guessed: id, type: type)
                do {
                    return WaitingFlow(
                        flow: try kept.device.start(message, using: services), message: message)
                } catch let refusal as SDKRefusal where refusal.sdk.name == "MESSAGE_NOT_FOUND" {
                    // It is no push of this type for the phone; what else it may be is tried next.
                }
            }
            return WaitingFlow(flow: try .init(guessed: id, account: kept.device.accounts.last?.id ?? 0))
        }
    }
}

extension NextAuthApp.Kept {
    fileprivate mutating func answer(
        _ waiting: NextAuthApp.WaitingFlow, _ answer: PhoneAnswer,
        with credential: NextAuthDevice.Credential, at now: Date, using services: DeviceServices
    ) throws {
        defer { device.faults = .init() }
        do {
            // Of what nobody asked there is no more to be read.
            let flow = try answer.fault == .unasked ? waiting.flow : current(waiting, using: services)
            device.faults = try Self.faults(of: answer, in: flow, services)
            switch answer.verdict {
            case .approve: try approve(flow, with: credential, at: now, using: services)
            case .decline: try device.decline(flow, using: services)
            }
        } catch let refusal as SDKRefusal {
            device.faults = .init()
            throw try refused(refusal, waiting, answer.fault, using: services)
        }
    }

    /// - Throws: ``PhoneRefusal`` for a fault of what is not signed.
    private static func faults(
        of answer: PhoneAnswer, in flow: NextAuthDevice.Flow, _ services: DeviceServices
    ) throws -> NextAuthDevice.Faults {
        var faults = NextAuthDevice.Faults()
        switch answer.fault {
        case .changedCounter: faults.challenge = Base64URL.encode(services.draw(32))
        case .otherData: faults.breaksSignature = true
        default: return faults
        }
        guard answer.verdict == .approve || flow.interaction == "CONFIRM_TRANSACTION" else {
            throw PhoneRefusal.faultUnfit(answer.fault, "a login is cancelled without a signature")
        }
        return faults
    }

    /// The flow as it stands; a push begins another one where the person thought for too long.
    private mutating func current(
        _ waiting: NextAuthApp.WaitingFlow, using services: DeviceServices
    ) throws -> NextAuthDevice.Flow {
        do {
            return try device.flow(waiting.flow.id, using: services)
        } catch let refusal as SDKRefusal where refusal.sdk.name == "FLOW_NOT_FOUND" {
            guard let message = waiting.message else { throw refusal }
            let fresh = try device.start(message, using: services)
            if let index = flows.firstIndex(where: { $0.id == waiting.id }) { flows[index].flow = fresh }
            return fresh
        }
    }

    private mutating func approve(
        _ flow: NextAuthDevice.Flow, with credential: NextAuthDevice.Credential, at now: Date,
        using services: DeviceServices
    ) throws {
        // Of several the newest, which the person would see first.
        let account = flow.interaction == "CONFIRM" ? flow.candidates.last : nil
        try device.approve(flow, with: credential, account: account, using: services)
        factorResult = "SUCCESS"
        if flow.type == "APPLOGIN" { appLoginAt = now }
        pingFrom(now)
    }

    /// After a wrong PIN the flow goes on with a new challenge, and after a signature that was wrong on purpose as it was; else it is over.
    private mutating func refused(
        _ refusal: SDKRefusal, _ waiting: NextAuthApp.WaitingFlow, _ fault: PhoneAnswer.Fault?,
        using services: DeviceServices
    ) throws -> any Error {
        if ["WRONG", "BLOCKED"].contains(refusal.sdk.name) { factorResult = refusal.sdk.name }
        if refusal.sdk.name == "WRONG", let index = flows.firstIndex(where: { $0.id == waiting.id }) {
            flows[index].flow = try device.flow(flows[index].flow.id, using: services)
            return NextAuthApp.wrong(refusal)
        }
        if fault != nil, refusal.sdk.name == "BAD_SIGNATURE" { return refusal }
        flows.removeAll { $0.id == waiting.id }
        return refusal.sdk.name == "BLOCKED" ? NextAuthApp.wrong(refusal) : refusal
    }
}
