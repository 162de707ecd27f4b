extension FlowAction {
    /// `remember_me`: whether the browser keeps the session cookie. Only where the configuration leaves it to the user.
    static let rememberMe = FlowAction(
        "remember_me", "Enable or disable remember me.",
        inputs: { _ in [FlowInput("remember_me", .boolean, isRequired: true)] },
        suspension: { turn in
            turn.configuration.session.cookie.retention == .prompt
                ? nil : "session.cookie.retention is not prompt"
        },
        run: { turn, form in
            turn.flow.stash.remembersMe = form.flag("remember_me")
            return .stay
        })
}
