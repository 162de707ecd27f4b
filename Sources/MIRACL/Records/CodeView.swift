import Essentials
import PlatformKit

/// A code or token that is good once, as the console shows one.
struct CodeView {
    static let kind = "code"
    static let spend = "spend"

    let code: OneTimeCode
    let now: Date

    /// Six digits may be somebody else's, too; then the newest is meant.
    static func id(of code: OneTimeCode) -> String { "\(code.kind.rawValue)-\(code.text)" }

    var record: ConsoleRecord {
        ConsoleRecord(
            id: Self.id(of: code), title: code.kind.words,
            user: code.userID, state: state, createdAt: code.createdAt, facts: facts,
            actions: state == "good" ? [ConsoleRecord.Action(Self.spend, "Use up", isFinal: true)] : [])
    }

    private var state: String {
        code.spentAt != nil ? "used" : code.expiresAt <= now ? "expired" : "good"
    }

    private var facts: [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Code", code.text), ("Project", code.projectID), ("Device", code.deviceName),
            ("Access code", code.accessID), ("Client", code.clientID),
            ("Wrong ones", code.failures == 0 ? nil : "\(code.failures)"),
            ("Used", code.spentAt?.text), ("Ends", code.expiresAt.text),
        ]
        return ConsoleRecord.Fact.known(all)
    }
}

extension OneTimeCode.Kind {
    fileprivate var words: String {
        switch self {
        case .link: "Link in a mail"
        case .mail: "Code in a mail"
        case .custom: "Link for a back end"
        case .quickCode: "Quick code"
        case .activation: "Activation token"
        case .registration: "Registration code"
        case .otp: "One-time password"
        case .dvsRegister: "Token for a key pair"
        }
    }
}
