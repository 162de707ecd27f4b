import PlatformKit

/// A flow under way, or lately ended, as the console shows one.
struct FlowView {
    static let kind = "flow"

    let flow: Flow

    init(_ flow: Flow) { self.flow = flow }

    var record: ConsoleRecord {
        let facts: [(String, String?)] = [
            ("Came by", path(flow.history.map(\.state))),
            ("Comes next", path(flow.schedule)),
            ("Actions of the state", list(flow.state.actions.map(\.name))),
            ("User id", flow.stash.userID), ("Address", flow.stash.email),
            ("Username", flow.stash.username),
            ("WebAuthn", flow.stash.capabilities.map { $0.webauthn ? "available" : "not available" }),
            ("Passcode sent to", flow.passcode.map(told)),
            ("Ends", Timestamp.text(flow.expiresAt)),
        ]
        return ConsoleRecord(
            id: flow.id, title: title, user: user,
            state: flow.state.rawValue, createdAt: flow.createdAt,
            facts: ConsoleRecord.Fact.known(facts),
            actions: [ConsoleRecord.Action("forget", "Forget", isFinal: true)])
    }

    private var title: String {
        switch flow.kind {
        case .login: "Login"
        case .registration: "Registration"
        case .profile: "Profile"
        case .tokenExchange: "Token exchange"
        }
    }

    private var user: String? { flow.stash.email ?? flow.stash.username ?? flow.stash.userID }

    private func told(_ passcode: FlowPasscode) -> String {
        "\(passcode.address), \(passcode.wrongTries) wrong \(passcode.wrongTries == 1 ? "try" : "tries")"
    }

    private func path(_ states: [FlowState]) -> String? { list(states.map(\.rawValue), separator: " → ") }

    private func list(_ words: [String], separator: String = ", ") -> String? {
        words.isEmpty ? nil : words.joined(separator: separator)
    }
}
