import Essentials
import PlatformKit

/// What can be done to a transaction from outside, without a device.
enum TransactionAction: Equatable {
    /// The user who acts, where the transaction does not say: `confirm:ada`.
    case confirm(as: String?)
    case deny(as: String?)
    /// With the reason that the portal hears: `fail:failed_to_send`; `invalid_request` when none is given.
    case fail(MobileTransactionReason)
    case expire
    /// Sends a callback that is held.
    case release

    /// - Throws: ``TransactionRefusal`` for a text that is no action, and for one that comes too late.
    init(_ text: String, to transaction: MobileTransaction, at now: Date) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let word = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        switch parts.first ?? "" {
        case "confirm": self = .confirm(as: word)
        case "deny": self = .deny(as: word)
        case "fail":
            guard let reason = word.map(MobileTransactionReason.init(rawValue:)) ?? .invalidRequest else {
                throw TransactionRefusal.actionUnknown(
                    text, known: MobileTransactionReason.allCases.map { "fail:\($0.rawValue)" })
            }
            self = .fail(reason)
        case "expire": self = .expire
        case "release": self = .release
        default: throw TransactionRefusal.actionUnknown(text, known: transaction.actions(at: now))
        }
        guard transaction.actions(at: now).contains(parts[0]) else {
            throw TransactionRefusal.tooLate(text, state: transaction.state(at: now).rawValue)
        }
    }

    /// What the audit hears; nil for what is no answer.
    var event: EventType? {
        switch self {
        case .confirm: .mobileAuthAuthenticated
        case .deny, .fail: .mobileAuthNotAuthenticated
        case .expire, .release: nil
        }
    }
}

extension MobileTransaction {
    func actions(at now: Date) -> [String] {
        (state(at: now).isOpen ? ["confirm", "deny", "fail", "expire"] : [])
            + (callback == .held ? ["release"] : [])
    }

    /// As console and control API show it.
    func shown(at now: Date, told: [CallbackRecord]) -> Transaction {
        let state = state(at: now)
        return Transaction(
            id: id, platform: Vendor.name, kind: method.channel, title: shownMessage, user: subject,
            state: state.rawValue, isOpen: state.isOpen, createdAt: createdAt, expiresAt: expiresAt,
            code: otpText, page: otp == nil ? nil : pagePath, actions: actions(at: now),
            steps: steps(state), notices: told.map(\.notice))
    }

    private func steps(_ state: MobileTransactionState) -> [Transaction.Step] {
        var steps = [Transaction.Step(MobileTransactionState.initialized.rawValue, at: createdAt)]
        if let fetchedAt {
            steps.append(Transaction.Step(MobileTransactionState.fetched.rawValue, at: fetchedAt))
        }
        if let endedAt { steps.append(Transaction.Step(state.rawValue, at: endedAt)) }
        if state == .expired { steps.append(Transaction.Step(state.rawValue, at: expiresAt)) }
        return steps
    }
}
