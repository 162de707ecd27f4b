import PowerAuth
import TestKit
import Testing

@Suite struct PowerAuthConformanceTests {
    @Test func `it keeps what every platform promises`() throws {
        try checkConformance(of: PowerAuth.self)
    }
}

extension PowerAuth: CountsRefusals {
    /// A wrong code, PUK or OTP is counted, and at the limit the registration is blocked or removed, or the operation failed. A right
    /// code moves the counter on, whatever is wrong behind it; and what is too late ends with the request that finds it so.
    package static let changedByRefusals =
        [
            "failed_attempts", "otp_failures", "counter", "counter_data", "state", "blocked_reason",
            "last_used_at", "changed_at",
        ].map { "powerauth.activations.*." + $0 }
        + ["failures", "state", "finalized_at", "additional_data"].map { "powerauth.operations.*." + $0 }
        + ["failed_attempts", "state", "puks.*.state"].map { "powerauth.mobile.recovery_codes.*." + $0 }
        + ["powerauth.activation_history", "powerauth.audit", "powerauth.callback_events"]
}
