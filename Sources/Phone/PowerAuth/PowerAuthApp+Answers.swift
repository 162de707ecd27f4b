import Essentials
import PowerAuthDevice

extension PowerAuthApp {
    package static let kinds = ["operation", "offline"]
    package static let logsIn = true
    package static let faults = PhoneAnswer.Fault.allCases

    package func answer(_ id: String, _ answer: PhoneAnswer) throws -> PhoneReport {
        let unasked = answer.fault == .unasked ? Self.unasked(id) : nil
        guard let request = requests.first(where: { $0.id == id }) ?? unasked else {
            throw PhoneRefusal.requestUnknown(id, handset.phone)
        }
        if let text = kept?.offline[id] { return try answerOffline(text, request, answer) }
        do {
            try asking { try carrier.sending(answer) { try decide(id, answer) } }
        } catch let refusal as PhoneRefusal {
            // A failed attempt may have blocked the activation; without a network nobody knows.
            try? askStatus()
            throw refusal
        }
        // Somebody else's answer may have moved the server's counter.
        if answer.fault != nil { try asking(.sdk) { try askStatus() } }
        kept?.operations.removeAll { $0["id"]?.string == id }
        kept?.nearness[id] = nil
        return report(on: request, answer)
    }

    private func decide(_ id: String, _ answer: PhoneAnswer) throws {
        let device = try device(for: answer)
        let isStolen = answer.fault == .stolenKey
        let facts: JSONValue? = answer.fault == .rooted ? ["rooted": true] : nil
        switch answer.verdict {
        case .approve:
            let way = answer.way ?? requests.first { $0.id == id }?.ways.first ?? .pin
            let credential = isStolen ? .possession : credential(way, typed: answer.pin)
            let data = try data(of: id, answer, device)
            let nearness = kept?.nearness[id].map {
                ProximityCheck(otp: $0.otp, source: $0.isLink ? .deepLink : .qrCode)
            }
            try device.authorizeOperation(
                id, data: data, with: credential, proximity: nearness, mobileTokenData: facts)
        case .decline:
            let way = isStolen ? nil : answer.way
            try device.rejectOperation(
                id, reason: answer.reason ?? "UNEXPECTED_OPERATION", mobileTokenData: facts,
                with: way.map { credential($0, typed: answer.pin) } ?? .possession)
        }
    }

    /// What the app says that it approves.
    private func data(of id: String, _ answer: PhoneAnswer, _ device: Device) throws -> String {
        let shown = kept?.operations.first { $0["id"]?.string == id }?["data"]?.string ?? ""
        switch answer.fault {
        case .otherData: return shown + Self.otherNote
        // Most operations of others are not shown to the phone either.
        case .unasked: return (try? device.operation(id).data) ?? Self.guessedData
        default: return shown
        }
    }

    /// One more field of the data: a note.
    private static let otherNote = "*NOther"
    /// Data of the shortest form, without any field.
    private static let guessedData = "A1"

    private static func unasked(_ id: String) -> PhoneRequest {
        PhoneRequest(
            id: id, platform: platform, kind: "operation", title: "which nobody asked this phone about",
            message: "", details: [], ways: [.pin])
    }

    /// The SDK's side, with what is wrong with the answer; of another one than its own it keeps nothing.
    func device(for answer: PhoneAnswer) throws -> Device {
        switch answer.fault {
        case nil, .twice, .rooted, .otherData: return try device()
        case .unasked: return try synchronisedDevice()
        case .stolenKey: return try copy()
        case .changedCounter:
            let device = try copy()
            // Far more than any server looks ahead.
            try device.skipCounter(Self.skippedSteps)
            return device
        case .oldProtocol:
            let device = try copy()
            // The version before 3.0, of 2018; an activation of 4.0 is not one of 3.3 any more either.
            device.faults.version = device.isOfFourth ? "3.3" : "2.1"
            return device
        }
    }

    private static let skippedSteps = 100

    private func report(on request: PhoneRequest, _ answer: PhoneAnswer) -> PhoneReport {
        let way = answer.way ?? request.ways.first ?? .pin
        let what = "the operation \(request.id), \(request.title), was "
        let note = carrier.note(on: answer)
        return answer.verdict == .approve
            ? PhoneReport("approved", request.id, what + "approved by \(way.rawValue)\(note).")
            : PhoneReport("declined", request.id, what + "declined\(note).")
    }
}
