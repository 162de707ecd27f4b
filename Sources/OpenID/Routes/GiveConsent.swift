import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// `GET /consent`: goes on after a login, and asks the user first where that is needed.
    ///
    /// - Request: query `interaction`.
    /// - Response: `200`, HTML; or what ``authorize(_:)`` answers when nothing is to be asked.
    /// - Errors: those of ``authorize(_:)``; a page with `400` when the conversation is over.
    /// - Source: OpenID Connect Core 1.0 §3.1.2.4.
    func showConsent(_ request: Request) throws -> Response {
        try noting(request) {
            let opened = try open(request.queryItems["interaction"], [.authorization], request)
            let started = try resumed(opened, request)
            let circumstances = try circumstances(started, request)
            guard case .consent(let names) = started.asked.step(circumstances),
                let session = circumstances.session
            else { return try proceed(started, request) }
            return opened.response(try consentPage(opened, started.asked, names, session, request))
        }
    }

    /// `POST /consent`: the form of that page.
    ///
    /// - Request: form `interaction`, `csrf`, `decision` `allow`, `deny`, or `other` for another account.
    /// - Response: what ``authorize(_:)`` answers; `303` to the login page for another account.
    /// - Errors: `access_denied` at the redirect URI; a page with `400` for a form that is not ours or too old.
    /// - Source: OpenID Connect Core 1.0 §3.1.2.4.
    func submitConsent(_ request: Request) throws -> Response {
        try noting(request) {
            var opened = try openForm([.authorization], profile.paths.consent, request)
            let started = try resumed(opened, request)
            switch request.form["decision"] {
            case "deny":
                try world.change { turn in _ = try finish(started, in: turn.db) }
                throw AuthorizationRefusal(.denied, started.asked.target)
            case "other":
                return .seeOther(address(profile.paths.login, opened.handle, request))
            case "allow":
                opened = try noteConsent(opened, started, request)
                return try proceed(try resumed(opened, request), request)
            default:
                throw PageRefusal(
                    .decisionMissing, retry: address(profile.paths.consent, opened.handle, request))
            }
        }
    }

    /// The authorization request that a conversation began with, judged again: client and scopes may have changed.
    func resumed(_ opened: OpenInteraction, _ request: Request) throws -> StartedAuthorization {
        let parameters = AuthorizationParameters(opened.interaction.form)
        let asked = try readAuthorization(
            parameters, of: try client(parameters), at: request)
        return StartedAuthorization(
            asked: asked, parameters: parameters, pushedURI: opened.interaction.pushedURI, opened: opened)
    }

    /// Remembers the user's word, for this conversation and for later ones.
    private func noteConsent(
        _ opened: OpenInteraction, _ started: StartedAuthorization, _ request: Request
    ) throws -> OpenInteraction {
        let circumstances = try circumstances(started, request)
        guard case .consent(let names) = started.asked.step(circumstances),
            let session = circumstances.session
        else { return opened }
        let digest = opened.interaction.digest
        let consent = Consent(
            id: uuid(for: "consent"), subject: session.subject, clientID: started.asked.client.id,
            scope: ScopeList(names), givenAt: now)
        try world.change { turn in
            try consents.give(consent, in: turn.db)
            try interactions.change(digest, in: turn.db) { $0.consentSession = session.id }
        }
        return try open(opened.handle, [.authorization], request)
    }

    private func consentPage(
        _ opened: OpenInteraction, _ asked: AuthorizationRequest, _ names: [String],
        _ session: BrowserSession,
        _ request: Request
    ) throws -> Page {
        let (known, user) = try database.read { db in
            (try scopes.known(in: db), try users.find(session.subject, in: db))
        }
        return ConsentPage(
            client: asked.client, user: user, scopes: ConsentPage.described(names, known),
            action: target(profile.paths.consent, request), fields: opened.fields
        ).page
    }
}
