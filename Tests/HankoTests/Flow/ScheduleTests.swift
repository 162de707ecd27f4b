import Testing

@testable import Hanko

struct ScheduleTests {
    typealias Wish = CredentialSchedule.Wish

    static let both: [(Acquisition, Acquisition, [FlowState])] = [
        (.always, .always, [.onboardingCreatePasskey, .passwordCreation]),
        (.always, .conditional, [.onboardingCreatePasskey]),
        (.conditional, .always, [.passwordCreation]),
        (.conditional, .conditional, [.credentialOnboardingChooser]),
        (.always, .never, [.onboardingCreatePasskey]),
        (.conditional, .never, [.onboardingCreatePasskey]),
        (.never, .always, [.passwordCreation]),
        (.never, .conditional, [.passwordCreation]),
        (.never, .never, []),
    ]

    @Test(arguments: both)
    func `with passkeys and passwords usable, acquisition decides`(
        passkey: Acquisition, password: Acquisition, states: [FlowState]
    ) {
        let schedule = CredentialSchedule(
            passkey: Wish(acquisition: passkey, isOptional: true),
            password: Wish(acquisition: password, isOptional: true))

        #expect(schedule.states == states)
    }

    @Test(arguments: [
        (true, false, [FlowState.passwordCreation, .onboardingCreatePasskey]),
        (true, true, [.onboardingCreatePasskey, .passwordCreation]),
        (false, false, [.onboardingCreatePasskey, .passwordCreation]),
        (false, true, [.onboardingCreatePasskey, .passwordCreation]),
    ])
    func `of two that are always asked for, a mandatory password comes before an optional passkey`(
        passkeyIsOptional: Bool, passwordIsOptional: Bool, states: [FlowState]
    ) {
        let schedule = CredentialSchedule(
            passkey: Wish(acquisition: .always, isOptional: passkeyIsOptional),
            password: Wish(acquisition: .always, isOptional: passwordIsOptional))

        #expect(schedule.states == states)
    }

    @Test(arguments: [
        (Acquisition.always, [FlowState.passwordCreation]), (.conditional, [.passwordCreation]), (.never, []),
    ])
    func `where passkeys are not usable, the password alone decides`(
        acquisition: Acquisition, states: [FlowState]
    ) {
        let wish = Wish(acquisition: acquisition, isOptional: true)

        #expect(CredentialSchedule(passkey: nil, password: wish).states == states)
    }

    @Test(arguments: [
        (Acquisition.always, [FlowState.onboardingCreatePasskey]), (.conditional, [.onboardingCreatePasskey]),
        (.never, []),
    ])
    func `where passwords are disabled, the passkey alone decides`(
        acquisition: Acquisition, states: [FlowState]
    ) {
        let wish = Wish(acquisition: acquisition, isOptional: true)

        #expect(CredentialSchedule(passkey: wish, password: nil).states == states)
    }

    @Test(arguments: [
        (Acquisition.always, Acquisition.always, [FlowState.onboardingCreatePasskey]),
        (.conditional, .always, []), (.conditional, .conditional, []), (.never, .always, []),
    ])
    func `a login asks only for what the user lacks`(
        passkey: Acquisition, password: Acquisition, states: [FlowState]
    ) {
        let schedule = CredentialSchedule(
            passkey: Wish(acquisition: passkey, isOptional: true),
            password: Wish(acquisition: password, isOptional: true, isPresent: true))

        #expect(schedule.states == states)
    }

    @Test func `a registration confirms the address before it asks for credentials`() {
        let credentials = CredentialSchedule(
            passkey: Wish(acquisition: .always, isOptional: true),
            password: Wish(acquisition: .always, isOptional: false))

        #expect(
            RegistrationSchedule(needsConfirmation: true, credentials: credentials).states
                == [.passcodeConfirmation, .passwordCreation, .onboardingCreatePasskey, .success])
        #expect(
            RegistrationSchedule(needsConfirmation: false, credentials: credentials).states
                == [.passwordCreation, .onboardingCreatePasskey, .success])
    }

    // MARK: Login

    static let nothing = CredentialSchedule(passkey: nil, password: nil)

    static func login(
        _ method: FlowStash.LoginMethod, mfa: Bool = true, trusted: Bool = false, key: Bool = false,
        canUseKey: Bool = false, totp: Bool = false, recovery: Bool = false,
        misses: (Bool, Bool) = (false, false),
        prompts: Bool = true, credentials: CredentialSchedule = nothing
    ) -> [FlowState]? {
        LoginSchedule(
            method: method,
            secondFactor: .init(
                isEnabled: mfa, isDeviceTrusted: trusted, hasSecurityKey: key, canUseSecurityKey: canUseKey,
                hasTOTP: totp),
            isRecoveryPending: recovery, missesUsername: misses.0, missesEmail: misses.1,
            credentials: credentials,
            promptsForTrust: prompts
        ).states
    }

    @Test(arguments: [FlowStash.LoginMethod.password, .passcode])
    func `after password and passcode the second factor comes, a usable key before an app`(
        method: FlowStash.LoginMethod
    ) {
        #expect(Self.login(method) == [.success])
        #expect(Self.login(method, totp: true) == [.loginOTP, .deviceTrust, .success])
        #expect(
            Self.login(method, key: true, canUseKey: true, totp: true) == [
                .loginSecurityKey, .deviceTrust, .success,
            ])
        #expect(Self.login(method, key: true, totp: true) == [.loginOTP, .deviceTrust, .success])
        #expect(Self.login(method, key: true) == nil)
        #expect(Self.login(method, mfa: false, key: true) == [.success])
    }

    @Test func `a trusted device and a passkey spare the second factor and its question`() {
        #expect(Self.login(.password, trusted: true, totp: true) == [.success])
        #expect(Self.login(.password, trusted: true, key: true) == [.success])
        #expect(Self.login(.passkey, totp: true) == [.success])
        #expect(Self.login(.passkey, key: true) == [.success])
        #expect(Self.login(.password, totp: true, prompts: false) == [.loginOTP, .success])
    }

    @Test func `what is missing comes in its order`() {
        let credentials = CredentialSchedule(
            passkey: Wish(acquisition: .always, isOptional: true),
            password: Wish(acquisition: .never, isOptional: false))

        #expect(
            Self.login(
                .passcode, totp: true, recovery: true, misses: (true, true), credentials: credentials) == [
                    .loginOTP, .loginPasswordRecovery, .onboardingUsername, .onboardingEmail,
                    .onboardingCreatePasskey, .deviceTrust, .success,
                ])
    }

    // MARK: Second factors

    static func onboarding(
        totp: Bool = true, keys: Bool = true, canMakeKey: Bool = true, optional: Bool = true,
        acquired: Bool = true,
        first: Bool = true, second: Bool = false, known: Bool = false, password: Bool = false
    ) -> MFAOnboarding.Verdict {
        MFAOnboarding(
            offersTOTP: totp, offersSecurityKeys: keys, canMakeSecurityKey: canMakeKey, isOptional: optional,
            isAcquired: acquired, hasFirstFactor: first, hasSecondFactor: second, isChooserKnown: known,
            isPasswordStillScheduled: password
        ).verdict
    }

    @Test func `a second factor is asked for once, with a first one there and no password due`() {
        #expect(Self.onboarding() == .chooser)
        #expect(Self.onboarding(totp: false, keys: false) == .notNow)
        #expect(Self.onboarding(acquired: false) == .notNow)
        #expect(Self.onboarding(first: false) == .notNow)
        #expect(Self.onboarding(second: true) == .notNow)
        #expect(Self.onboarding(known: true) == .notNow)
        #expect(Self.onboarding(password: true) == .notNow)
    }

    @Test func `a device that can do neither skips an optional second factor and fails a mandatory one`() {
        #expect(Self.onboarding(totp: false, canMakeKey: false) == .notNow)
        #expect(Self.onboarding(totp: false, canMakeKey: false, optional: false) == .impossible)
        #expect(Self.onboarding(totp: false, canMakeKey: true, optional: false) == .chooser)
        #expect(Self.onboarding(canMakeKey: false, optional: false) == .chooser)
    }
}
