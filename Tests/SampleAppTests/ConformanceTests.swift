import SampleApp
import TestKit

extension SampleApp: CountsRefusals {
    /// A login by M-Pin is good for one answer, and the tokens of the token service end with what they were traded for.
    package static let changedByRefusals = [
        "app.miracl_logins.*.used_at", "app.token_service.grants.*.ended",
        "app.token_service.access_tokens.*.ended",
    ]
}
