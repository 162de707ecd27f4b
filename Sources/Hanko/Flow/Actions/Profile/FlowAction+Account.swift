extension FlowAction {
    /// An action on the account of the user whose session this is.
    ///
    /// - Parameters:
    ///   - inputs: what the client may submit now.
    ///   - suspension: why the action is not offered now, as half a sentence; nil when it is offered.
    ///   - run: does it.
    static func onAccount(
        _ name: String, _ description: String,
        inputs: @escaping @Sendable (FlowTurn, Account) throws -> [FlowInput] = { _, _ in [] },
        suspension: @escaping @Sendable (FlowTurn, Account) throws -> String? = { _, _ in nil },
        run: @escaping @Sendable (inout FlowTurn, FlowForm, Account) throws -> FlowOutcome
    ) -> FlowAction {
        FlowAction(
            name, description, inputs: { try inputs($0, $0.requireAccount()) },
            suspension: { try suspension($0, $0.requireAccount()) },
            run: { turn, form in try run(&turn, form, turn.requireAccount()) })
    }
}

extension FlowTurn {
    /// An entry of the audit log about the user, with a fact.
    mutating func audit(_ type: AuditType, _ account: Account, _ details: [String: String] = [:]) {
        add(.audit(type, userID: account.id, address: account.primaryEmail?.address, details: details))
    }
}
