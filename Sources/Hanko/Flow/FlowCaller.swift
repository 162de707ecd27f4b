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
    /// The cookie `hanko-device-token` as it came.
    let deviceTokens: String?
    /// The session that came along; a profile flow has one.
    let session: Session?
    /// A session for whoever the flow turns out to belong to.
    let newSession: NewSession
    /// Where the client reached us: scheme, authority and path prefix.
    let baseURL: String
}
