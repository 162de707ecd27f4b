import Crypto
import DeviceKit
import Essentials
import OneginiDevice

extension OneginiApp {
    package static let faults: [PhoneAnswer.Fault] = [
        .twice, .changedCounter, .stolenKey, .oldProtocol, .otherData, .unasked,
    ]

    package func answer(_ id: String, _ answer: PhoneAnswer) throws -> PhoneReport {
        let known = kept?.questions.first { $0.transactionID == id }
        guard let question = try known ?? (answer.fault == .unasked ? unasked(id) : nil) else {
            throw PhoneRefusal.requestUnknown(id, handset.phone)
        }
        do {
            try carrier.sending(answer) {
                try answer.fault == .stolenKey ? sendCopied(question, answer) : send(question, answer)
            }
        } catch let refusal as PhoneRefusal {
            forget(id, after: refusal)
            throw refusal
        }
        kept?.questions.removeAll { $0.transactionID == id }
        let (what, note) = ("the transaction \(id), \(question.message), was ", carrier.note(on: answer))
        return answer.verdict == .approve
            ? PhoneReport("approved", id, what + "approved\(note).")
            : PhoneReport("declined", id, what + "declined\(note).")
    }

    /// A PIN that the question does not ask for logs the person in before.
    private func send(_ question: OneginiDevice.Question, _ answer: PhoneAnswer) throws {
        let confirms = answer.verdict == .approve
        let isChecked = confirms && question.asksForPIN
        let pin = try pin(answer.way ?? (isChecked ? .pin : .possession), typed: answer.pin)
        try asUser(typing: isChecked ? nil : pin) { device, services in
            device.faults = Self.faults(of: answer, to: question, services)
            defer { device.faults = .init() }
            try device.answer(question, confirms: confirms, pin: isChecked ? pin : nil, using: services)
        }
    }

    private static func faults(
        of answer: PhoneAnswer, to question: OneginiDevice.Question, _ services: DeviceServices
    ) -> OneginiDevice.Faults {
        var faults = OneginiDevice.Faults()
        switch answer.fault {
        case .changedCounter: faults.challenge = Hex.encode(services.draw(16))
        case .oldProtocol: faults.version = 0
        case .otherData:
            if answer.verdict == .approve, let data = question.signingData {
                faults.signedData = data + Self.otherNote
            } else {
                faults.transactionID = Hex.encode(services.draw(16))
            }
        default: break
        }
        return faults
    }

    /// Behind what was to be signed.
    private static let otherNote = " and more"

    /// Somebody else logs in first, with a copy of what the phone stores, and knows no PIN.
    private func sendCopied(_ question: OneginiDevice.Question, _ answer: PhoneAnswer) throws {
        guard isEnrolled, let pin = kept?.pin else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: notEnrolledError)
        }
        let confirms = answer.verdict == .approve
        try asking { device, services in
            var copy = device.copied
            // The SDK hides under the PIN what comes of a login; only the server can tell that it was never typed.
            try copy.logIn(pin: pin, using: services)
            try copy.answer(
                question, confirms: confirms, pin: confirms && question.asksForPIN ? pin : nil,
                using: services)
            // A server that lets it in takes the old token no more.
            (device, device.faults) = (copy, .init())
        }
    }

    /// Reads a push by its id where the server allows that; else nothing is known of it.
    private func unasked(_ id: String) throws -> OneginiDevice.Question {
        do {
            return try asUser { try $0.fetch(push: id, using: $1) }
        } catch let refusal as PhoneRefusal where refusal.sdkError == Self.sdkName(10013) {
            return .init(guessed: id, .push)
        } catch let refusal as PhoneRefusal where refusal.sdkError == Self.sdkName(10018) {
            return .init(guessed: id, .otp)
        }
    }

    /// Where the refusal is the end of the question, or of all.
    private func forget(_ id: String, after refusal: PhoneRefusal) {
        if !isEnrolled { kept?.questions = [] }
        let ends = [9020, 9021, 9029, 10013, 10015, 10018].map(Self.sdkName)
        if ends.contains(refusal.sdkError ?? "") { kept?.questions.removeAll { $0.transactionID == id } }
    }
}
