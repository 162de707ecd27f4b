import Essentials
import HTTP

/// Who sends a step of a flow, as far as actions ask.
struct FlowCaller: Sendable {
    /// Numeric address of the client, for buckets of tokens.
    let address: String
    /// Of mails, from `X-Language`.
    let language: MailLanguage
    /// `X-Language` as it came.
    let languageTag: String
    /// The cookie of trusted devices as it came.
    let deviceTokens: String?
    /// The session that came along; a profile flow has one.
    let session: Session?
    /// Makes a session for whoever the flow turns out to belong to.
    let newSession: @Sendable () -> NewSession
    /// The provider that the step wants to visit, or why it cannot; nil when it does not want to.
    let thirdParty: Result<ThirdPartyDoor, ThirdPartyFault>?
}
