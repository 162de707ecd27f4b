import Essentials
import HTTP
import PlatformKit
import SQLite

/// What a request asks of a flow: a new one, or an action.
enum FlowCall: Sendable, Equatable {
    case start
    case run(Choice)

    struct Choice: Sendable, Equatable {
        let action: String
        let flowID: String
        let csrfToken: String
        /// `input_data`.
        let members: [String: JSONValue]
    }

    /// Without an action a flow begins, whatever the body says.
    ///
    /// - Throws: ``FlowRefusal``, `technical_error`, for a query or a body that cannot be understood.
    init(_ request: Request) throws {
        guard let text = request.queryItems["action"], !text.isEmpty else {
            self = .start
            return
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let name = parts.first, let id = parts.last.flatMap(UUIDText.parsed) else {
            throw FlowRefusal.technical(
                "Expected “action” in the query as name@flow-id, found “\(text.prefix(100))”; "
                    + "take the whole URL from the “href” of the action.")
        }
        let body = try Self.body(request)
        self = .run(
            Choice(
                action: name, flowID: id, csrfToken: try body.optionalText("csrf_token") ?? "",
                members: try body.optionalObject("input_data") ?? [:]))
    }

    /// Names of its members may be written in any case.
    private static func body(_ request: Request) throws -> Members {
        do {
            if !request.body.isEmpty { try request.requireJSON() }
        } catch let refusal as HankoRefusal {
            throw FlowRefusal.technical(refusal.explanation)
        }
        return try Members(parsing: request.body, .ofHanko) { faults in
            FlowRefusal.technical(faults[0].sentence)
        }
    }
}

/// Who sends a step of a flow, as far as actions ask.
struct FlowCaller: Sendable {
    /// Numeric address of the client, for buckets of tokens.
    let address: String
    /// Of mails, from `X-Language`.
    let language: MailLanguage
    /// The cookie of trusted devices as it came.
    let deviceTokens: String?
    /// Makes a session for whoever the flow turns out to belong to.
    let newSession: @Sendable () -> NewSession
    /// The provider that the step wants to visit, or why it cannot; nil when it does not want to.
    let thirdParty: Result<ThirdPartyDoor, ThirdPartyRefusal>?
}

/// The way to a provider, found out before the transaction because that may wait for the network.
struct ThirdPartyDoor: Sendable {
    /// Remembers the sign-in, of the user of a profile flow.
    ///
    /// - Returns: where to send the browser, and the `Set-Cookie` that binds the sign-in to it.
    let open: @Sendable (Connection, _ userID: String?) throws -> (url: String, cookie: String)
}
