import Crypto
import PlatformKit

/// A registration as the console shows it.
struct RegistrationView {
    let activation: Activation
    /// As of this moment.
    let state: Activation.State
    /// Of protocol 4.0, also before its upgrade is confirmed.
    let secrets: ActivationSecrets?
    let tokens: [Token]
    /// Oldest first.
    let history: [HistoryEntry]
    /// While it waits for the commit.
    let fingerprint: String?
    /// What the app scans, while it is CREATED.
    let code: String?

    var record: ConsoleRecord {
        ConsoleRecord(
            id: activation.id, title: activation.name ?? "Registration in \(activation.application)",
            user: activation.user,
            state: state.rawValue, createdAt: activation.createdAt, facts: facts, code: code,
            actions: RegistrationAction.possible(for: activation, in: state), steps: steps)
    }

    private var facts: [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Application", activation.application),
            ("Activation code", state == .created ? activation.code : nil),
            ("Protocol", spoken), ("Upgrade", upgrade),
            (
                "Confirmed by the device",
                activation.generation == 4 ? secrets.map { $0.isConfirmed ? "yes" : "not yet" } : nil
            ),
            ("Fingerprint", fingerprint),
            ("Blocked reason", state == .blocked ? activation.blockedReason : nil),
            ("Failed attempts", "\(activation.failedAttempts) of \(activation.maxFailedAttempts)"),
            ("Wrong activation OTPs", activation.otp == nil ? nil : "\(activation.otpFailures)"),
            ("Counter", activation.counterData == nil ? nil : "\(activation.counter)"),
            ("CTR_DATA", activation.counterData.map { Base64.encode($0.bytes) }),
            ("Flags", activation.flags.isEmpty ? nil : activation.flags.joined(separator: ", ")),
            ("Device platform", activation.platform), ("Device", activation.deviceInfo),
            ("External id", activation.externalID),
            ("Tokens", tokens.isEmpty ? nil : tokens.map(told).joined(separator: "\n")),
            ("Commit phase", activation.commitPhase.rawValue),
            ("Ends unless complete", isIncomplete ? Timestamp.text(activation.expiresAt) : nil),
            ("Last used", Timestamp.text(activation.lastUsedAt)),
            ("Changed", Timestamp.text(activation.changedAt)),
        ]
        return ConsoleRecord.Fact.known(all)
    }

    private var spoken: String? {
        activation.generation.map { generation in
            generation == 4 ? "4.0" + (secrets.map { ", \($0.suite.rawValue)" } ?? "") : "3.x"
        }
    }

    private var upgrade: String? {
        secrets.flatMap {
            $0.upgradeCounterData == nil ? nil : "to 4.0, \($0.suite.rawValue), waits for its confirmation"
        }
    }

    private var isIncomplete: Bool { state == .created || state == .pendingCommit }

    private func told(_ token: Token) -> String { "\(token.id), \(token.type.rawValue)" }

    private var steps: [Transaction.Step] {
        let known = history.map { entry in
            let reason = entry.reason.map { ": \($0)" } ?? ""
            let actor = entry.externalUser.map { ", by \($0)" } ?? ""
            return Transaction.Step(entry.state.rawValue + reason + actor, at: entry.at)
        }
        // What time has done is stored when somebody asks for it next.
        let isOverdue = state == .removed && activation.state != .removed
        return known + (isOverdue ? [Transaction.Step("REMOVED: EXPIRED", at: activation.expiresAt)] : [])
    }
}
