import Crypto
import DeviceKit
import Essentials
import MIRACLDevice

extension MIRACLApp {
    package static let faults: [PhoneAnswer.Fault] = [
        .twice, .changedCounter, .stolenKey, .oldProtocol, .otherData, .unasked,
    ]

    /// Whether a request proves something, or ends a session.
    static func decides(_ request: DeviceRequest) -> Bool {
        if request.path.hasSuffix("/codeStatus") {
            // What the app writes is JSON.
            let told = try? JSONValue(parsing: request.body)
            return ["signed", "abort"].contains(told?["status"]?.string)
        }
        return request.path.hasSuffix("/pass2") || request.path.hasSuffix("/authenticate")
    }

    package func answer(_ id: String, _ answer: PhoneAnswer) throws -> PhoneReport {
        let known = kept?.orders.first { $0.id == id }
        guard let order = known ?? (answer.fault == .unasked ? Self.unasked(id) : nil) else {
            throw PhoneRefusal.requestUnknown(id, handset.phone)
        }
        guard answer.way == nil || [.pin, .wrongPIN].contains(answer.way) else {
            throw PhoneRefusal(.refused, "MIRACL's SDKs know nothing but the PIN.")
        }
        if let misfit = misfit(answer, order) { throw PhoneRefusal.faultUnfit(answer.fault, misfit) }
        return try carrier.sending(answer) {
            try answer.verdict == .approve ? approve(order, answer) : decline(order, answer)
        }
    }

    private static func unasked(_ id: String) -> Order {
        Order(kind: .login, id: id, title: "which nobody asked this phone about", message: "")
    }

    /// Why there is nothing that the fault could be of: the rest of a sentence.
    private func misfit(_ answer: PhoneAnswer, _ order: Order) -> String? {
        guard answer.verdict == .approve else {
            if answer.fault == nil || answer.fault == .unasked { return nil }
            if answer.fault == .twice, order.hasSession { return nil }
            return "who declines proves nothing, and tells no more than an access code"
        }
        switch answer.fault {
        case .otherData where order.kind != .signature:
            return "there are no data but the document's of a signature"
        case .oldProtocol where kept?.device.isTrust == false:
            return "the SDK \(kept?.device.configuration.generation.rawValue ?? "") has no key pair, "
                + "so that what it proves is taken as from any before"
        default: return nil
        }
    }

    private func approve(_ order: Order, _ answer: PhoneAnswer) throws -> PhoneReport {
        // The token is the secret less the PIN times a point: without it, it is that of nought.
        let pin = answer.fault == .stolenKey ? "0" : pin(answer)
        do {
            let code = try asking { kept, services in
                guard let fault = answer.fault else { return try kept.prove(order, pin, using: services) }
                // Of a proof that is wrong on purpose nothing stays.
                var hostile = kept
                hostile.device.faults = Self.faults(fault, services)
                let code = try hostile.prove(order, pin, using: services)
                (kept, kept.device.faults) = (hostile, .init())
                return code
            }
            kept?.orders.removeAll { $0.id == order.id }
            return PhoneReport(
                "approved", order.id, code: code, Self.sentence(order, code, carrier.note(on: answer)))
        } catch let refusal as PhoneRefusal {
            // A wrong PIN leaves the session open, and so does a network that fails; one that is over is of no use any more.
            let isOver = answer.fault == nil && refusal.endsSession
            if isOver || !isEnrolled { kept?.orders.removeAll { $0.id == order.id } }
            throw refusal
        }
    }

    private static func faults(
        _ fault: PhoneAnswer.Fault, _ services: DeviceServices
    ) -> MIRACLDevice.Faults {
        var faults = MIRACLDevice.Faults()
        switch fault {
        case .changedCounter: faults.breaksProof = true
        // As the SDKs before Trust, whose identities have no key pair.
        case .oldProtocol: faults.publicKey = ""
        case .otherData: faults.signedHash = Hex.encode(services.draw(32))
        case .twice, .stolenKey, .rooted, .unasked: break
        }
        return faults
    }

    private static func sentence(_ order: Order, _ code: String?, _ note: String) -> String {
        guard let code else { return "“\(order.title)” (\(order.id)) was approved with the PIN\(note)." }
        return "“\(order.title)”: the code is \(code)\(note)."
    }

    private func decline(_ order: Order, _ answer: PhoneAnswer) throws -> PhoneReport {
        if order.hasSession {
            try asking { kept, services in try kept.device.abort(order.id, using: services) }
        }
        kept?.orders.removeAll { $0.id == order.id }
        return PhoneReport(
            "declined", order.id, "“\(order.title)” (\(order.id)) was declined\(carrier.note(on: answer)).")
    }

    /// The PIN that was set up, or one with another digit at its end.
    private func pin(_ answer: PhoneAnswer) -> String {
        let pin = answer.pin ?? kept?.pin ?? ""
        guard answer.way == .wrongPIN, let digit = pin.last?.wholeNumberValue else { return pin }
        return pin.dropLast() + String((digit + 1) % 10)
    }
}

extension MIRACLApp.Order {
    /// Whether a browser waits for what comes of it.
    fileprivate var hasSession: Bool { [.login, .signature, .appLogin].contains(kind) }
}

extension PhoneRefusal {
    /// The platform said no to something else than the PIN.
    fileprivate var endsSession: Bool {
        let isOfPIN =
            sdkError == "INCORRECT_PIN (11)" || sdkError?.hasSuffix(".UnsuccessfulAuthentication") == true
        return explanation.hasPrefix("The platform answered") && !isOfPIN
    }
}

extension MIRACLApp.Kept {
    /// - Returns: what the person reads from the phone, or the app hands its back end.
    fileprivate mutating func prove(
        _ order: MIRACLApp.Order, _ pin: String, using services: DeviceServices
    ) throws -> String? {
        switch order.kind {
        case .login:
            _ = try device.logIn(pin: pin, for: .openID, accessCode: order.id, using: services)
            return nil
        case .appLogin:
            return try device.logIn(
                pin: pin, for: .authorizationCode, accessCode: order.id, using: services
            ).code
        case .otp: return try device.oneTimePassword(pin: pin, using: services).digits
        case .quickCode: return try device.quickCode(pin: pin, using: services).digits
        case .token: return try device.logIn(pin: pin, for: .token, using: services).token
        case .signature:
            // The second generation signs with an identity of its own, under the same PIN here.
            if !device.isTrust, device.signing == nil {
                try device.registerSigning(pin: self.pin, loginPIN: pin, using: services)
            }
            try device.signSession(order.id, pin: pin, using: services)
            return nil
        }
    }
}
