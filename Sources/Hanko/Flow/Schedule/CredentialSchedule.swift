/// Which credentials somebody is asked to make, and in which order.
///
/// Source: Hanko 2.7, Flow API: the matrix of `acquire_on_registration` and `acquire_on_login`.
struct CredentialSchedule: Sendable {
    /// Nil where passkeys are disabled or the device cannot make them.
    let passkey: Wish?
    /// Nil where passwords are disabled.
    let password: Wish?

    /// What the configuration says of one kind of credential.
    struct Wish: Sendable, Equatable {
        let acquisition: Acquisition
        let isOptional: Bool
        /// The user has one already.
        var isPresent = false
    }

    var states: [FlowState] {
        switch (asks(for: passkey, beside: password), asks(for: password, beside: passkey)) {
        case (.always, .always):
            passwordComesFirst
                ? [.passwordCreation, .onboardingCreatePasskey]
                : [.onboardingCreatePasskey, .passwordCreation]
        case (.conditional, .conditional): [.credentialOnboardingChooser]
        case (.always, _), (.conditional, .never): [.onboardingCreatePasskey]
        case (_, .always), (.never, .conditional): [.passwordCreation]
        case (.never, .never): []
        }
    }

    private var passwordComesFirst: Bool { password?.isOptional == false && passkey?.isOptional == true }

    /// What is wished for and not there; a credential that is wanted conditionally is not where the other one is.
    private func asks(for wish: Wish?, beside other: Wish?) -> Acquisition {
        guard let wish, !wish.isPresent else { return .never }
        if wish.acquisition == .conditional, other?.isPresent == true { return .never }
        return wish.acquisition
    }
}

/// What follows on a free identifier. Source: Hanko 2.7, Flow API.
struct RegistrationSchedule: Sendable {
    /// An address was given, and addresses must be confirmed.
    let needsConfirmation: Bool
    let credentials: CredentialSchedule

    var states: [FlowState] {
        (needsConfirmation ? [.passcodeConfirmation] : []) + credentials.states + [.success]
    }
}
