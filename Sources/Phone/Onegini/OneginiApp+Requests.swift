import OneginiDevice
package import PlatformKit

extension OneginiApp {
    /// Fetches the pushes that wait, once, and forgets what has expired.
    package func refresh() throws {
        guard profile?.isEnrolled == true else { return }
        let now = handset.milliseconds
        let known = Set((kept?.questions ?? []).map(\.transactionID))
        let waiting = try asking { try $0.pending(using: $1) }.filter { !known.contains($0.transactionID) }
        kept?.questions.removeAll { ($0.expiresAt ?? .max) <= now }
        for push in waiting {
            let question = try asUser { try $0.fetch(push: push.transactionID, using: $1) }
            kept?.questions.append(question)
        }
    }

    package static let kinds = OneginiDevice.Question.Way.allCases.map(\.rawValue)

    /// In the order in which they were fetched.
    package var requests: [PhoneRequest] {
        (kept?.questions ?? []).map { question in
            PhoneRequest(
                id: question.transactionID, platform: Self.platform, kind: question.way.rawValue,
                title: question.type, message: question.message,
                details: question.signingData.map { [.init("To be signed", $0)] } ?? [],
                ways: question.asksForPIN ? [.pin] : [.possession, .pin])
        }
    }
}

// Beside answering.
extension OneginiApp {
    package var actions: [ConsoleRecord.Action] {
        guard let profile else { return [] }
        return [
            .init("log_in", "Log in", inputs: [.init("pin", "PIN, or nothing for the right one")]),
            .init("log_out", "Log out"),
            .init("change_pin", "Change the PIN", inputs: [.init("pin", "New PIN", isRequired: true)]),
            profile.isEnrolled
                ? .init("disenrol", "End mobile authentication")
                : .init("mobile_enrol", "Enrol for mobile authentication"),
            .init("disconnect", "Disconnect the user", isFinal: true),
        ]
    }

    package func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport {
        let (user, id) = (kept?.user ?? "", profile?.id ?? "")
        let pin = inputs["pin"].flatMap { $0.isEmpty ? nil : $0 }
        switch action {
        case "log_in":
            try asUser(typing: pin ?? kept?.pin) { _, _ in }
            return PhoneReport("done", id, "\(user) logged in by PIN.")
        case "log_out":
            try asking { try $0.logOut(using: $1) }
            return PhoneReport("done", id, "\(user) logged out; the access token has ended.")
        case "change_pin": return try changePIN(to: pin ?? "", id)
        case "disenrol":
            try asUser { try $0.disenroll(using: $1) }
            kept?.pushFault = "mobile authentication was ended"
            kept?.questions = []
            return PhoneReport("done", id, "\(user) takes part in mobile authentication no more.")
        case "mobile_enrol":
            try enrolForMobileAuthentication()
            return PhoneReport("done", id, "\(user) takes part in mobile authentication again.")
        case "disconnect":
            try asking { try $0.deregisterUser(id, using: $1) }
            kept?.questions = []
            return PhoneReport("done", id, "\(user) was removed from the device, which stays registered.")
        default: throw unknown(action)
        }
    }

    private func changePIN(to new: String, _ id: String) throws -> PhoneReport {
        let old = kept?.pin ?? ""
        try asUser { try $0.changePIN(from: old, to: new, using: $1) }
        kept?.pin = new
        return PhoneReport("done", id, "the PIN of \(kept?.user ?? "") is \(new) now.")
    }
}
