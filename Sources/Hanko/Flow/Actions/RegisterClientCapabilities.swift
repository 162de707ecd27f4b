extension FlowAction {
    /// `register_client_capabilities`: what the device can do decides which passkey steps are offered later on.
    static let registerClientCapabilities = FlowAction(
        "register_client_capabilities", "Send the capabilities of the client.",
        inputs: { _ in
            [
                FlowInput("webauthn_available", .boolean, isRequired: true, isHidden: true),
                FlowInput("webauthn_conditional_mediation_available", .boolean, isHidden: true),
                FlowInput("webauthn_platform_authenticator_available", .boolean, isHidden: true),
            ]
        },
        run: { turn, form in
            turn.flow.stash.capabilities = FlowStash.Capabilities(
                webauthn: form.flag("webauthn_available"),
                conditionalMediation: form.flag("webauthn_conditional_mediation_available"),
                platformAuthenticator: form.flag("webauthn_platform_authenticator_available"))
            return .proceed()
        })
}
