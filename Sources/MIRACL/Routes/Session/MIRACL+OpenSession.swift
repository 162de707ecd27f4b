import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension MIRACL {
    /// A session that nobody knows yet, to be filled in and opened.
    func makeSession(in project: Project) -> AccessSession {
        AccessSession(
            accessID: token(for: "access_id"), webOTT: token(for: "web_ott"), projectID: project.id,
            createdAt: now, expiresAt: time(in: project.sessionSeconds))
    }

    func open(_ session: AccessSession) throws {
        try world.change { turn in try turn.insert(session) }
    }

    /// What every way of opening a session is answered with. Clients read `accessId`, or cut it from behind `#` in `qrURL`.
    ///
    /// Source: client-js 5 and 6; oidc-samples, integration tests.
    func answer(_ session: AccessSession, _ request: Request) -> Response {
        .answer([
            "webOTT": .string(session.webOTT), "accessId": .string(session.accessID),
            "accessURL": .string(request.baseURL + "/rps/v2/access"),
            "qrURL": .string(qrURL(of: session, request)),
        ])
    }

    func qrURL(of session: AccessSession, _ request: Request) -> String {
        request.baseURL + "/mobile-login/#" + session.accessID
    }

    /// What an authorization request asks for, and whose users may answer it.
    func readAuthorization(
        _ form: Form, at request: Request
    ) throws -> (asked: CheckedAuthorization, project: Project) {
        let asked = try server.readAuthorization(form, at: request)
        guard let project = try project(ofClient: asked.clientID) else {
            // Each client is an application of a project, and both come from the same fixtures.
            throw RequestRefusal.projectUnknown(
                asked.clientID, in: "The client_id", known: try projects().map(\.id))
        }
        tellIgnored(of: form.text("scope") ?? "", asked)
        return (asked, project)
    }

    private func tellIgnored(of scope: String, _ asked: CheckedAuthorization) {
        let ignored = ScopeList(scope).missing(in: ScopeList(asked.scope))
        if ignored.isEmpty { return }
        services.journal.event(
            "scopes ignored", about: asked.clientID,
            "The scopes «\(ignored.joined(separator: " ").prefix(200))» are not known here and were left out; there are "
                + "\(Self.scopes.joined(separator: ", ")). Source: OpenID Connect Core 1.0 §3.1.2.1.")
    }
}
