import Essentials
import PlatformKit

/// What can be done to an operation from outside, without a device.
enum OperationAction: String, Sendable, CaseIterable {
    case approve
    case reject
    case cancel
    case expire
}

extension Operation {
    func actions(at now: Date) -> [String] {
        state(at: now) == .pending ? OperationAction.allCases.map(\.rawValue) : []
    }

    /// As console and control API show it, without a code.
    func shown(_ templates: Templates, at now: Date) -> Transaction {
        let state = state(at: now)
        let template = templates.mobile(type, in: AcceptLanguage.primary(of: language))
        let lines = [template?.title(with: parameters), template?.message(with: parameters)]
        let title = lines.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        var steps = [Transaction.Step(State.pending.rawValue, at: createdAt)]
        if let finalizedAt { steps.append(Transaction.Step(state.rawValue, at: finalizedAt)) }
        if state == .expired { steps.append(Transaction.Step(state.rawValue, at: min(expiresAt, now))) }
        return Transaction(
            id: id, platform: Vendor.name, kind: "operation",
            title: title.isEmpty ? "\(template == nil ? "\(self.template): " : "")\(data)" : title,
            user: user,
            state: state.rawValue, isOpen: state == .pending, createdAt: createdAt, expiresAt: expiresAt,
            facts: facts(at: now), actions: actions(at: now), steps: steps)
    }
}
