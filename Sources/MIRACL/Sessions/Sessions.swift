import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Access sessions: a browser or a back end waits, a phone decides.
struct Sessions: Sendable {
    let server: AuthorizationServer

    init(_ server: AuthorizationServer) { self.server = server }

    private var world: World { server.world }
    private var now: Date { world.now }
    private var projects: Projects { Projects(world) }

    /// A session that nobody knows yet, to be filled in and opened.
    func makeSession(in project: Project, _ request: Request) -> AccessSession {
        var session = AccessSession(
            accessID: world.token(for: "access_id"), webOTT: world.token(for: "web_ott"),
            projectID: project.id,
            createdAt: now, expiresAt: world.time(in: project.sessionSeconds))
        session.qrURL = qrURL(of: session, request)
        return session
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
        guard let project = try projects.find(ofClient: asked.clientID) else {
            // Each client is an application of a project, and both come from the same fixtures.
            throw RequestRefusal.projectUnknown(
                asked.clientID, in: "The client_id", known: try projects.all().map(\.id))
        }
        tellIgnored(of: form.text("scope") ?? "", asked)
        return (asked, project)
    }

    private func tellIgnored(of scope: String, _ asked: CheckedAuthorization) {
        let ignored = ScopeList(scope).missing(in: ScopeList(asked.scope))
        if ignored.isEmpty { return }
        world.services.journal.event(
            "scopes ignored", about: asked.clientID,
            "The scopes “\(ignored.joined(separator: " ").prefix(200))” are not known here and were left out; there are "
                + "\(Vendor.scopes.joined(separator: ", ")). Source: OpenID Connect Core 1.0 §3.1.2.1.")
    }

    /// As ``readAuthorization(_:at:)``, with refusals for a client that reads JSON.
    func requireAuthorization(
        _ form: Form, at request: Request
    ) throws -> (asked: CheckedAuthorization, project: Project) {
        do {
            return try readAuthorization(form, at: request)
        } catch let refusal as any OAuthRefusal {
            throw SessionRefusal(refusal)
        }
    }
}

// MARK: - Finding them

extension Sessions {
    /// - Parameter isPage: whether a person reads the refusal.
    func requireSession(webOTT: String, isPage: Bool = false) throws -> AccessSession {
        guard
            let session = try world.database.read({ db in
                try db.first(AccessSession.self, where: "web_ott = \(webOTT)")
            })
        else {
            throw SessionRefusal.webOTTUnknown(isPage: isPage)
        }
        return session
    }

    /// - Throws: ``SessionRefusal`` for one that is unknown or over.
    func requireLive(_ wid: String, in db: Connection) throws -> AccessSession {
        guard let session = try AccessSession.find(wid, in: db) ?? AccessSession.find(number: wid, in: db)
        else {
            throw SessionRefusal.accessCodeUnknown(wid)
        }
        if session.isOver { throw SessionRefusal.sessionOver(session.state) }
        guard session.isLive(at: now) else { throw SessionRefusal.sessionExpired(session.expiresAt) }
        return session
    }

    /// A signing session that is not over; one that was signed counts as such.
    func signingSession(_ id: String, in db: Connection) throws -> AccessSession {
        guard let session = try AccessSession.find(id, in: db), session.hash != nil else {
            throw SignatureRefusal.sessionUnknown(id)
        }
        if session.state == .abort { throw SignatureRefusal.sessionOver(session.state) }
        guard session.expiresAt > now else {
            throw SignatureRefusal.sessionExpired(session.expiresAt)
        }
        return session
    }

    /// One that no open session has; nil when none is found in twenty draws.
    func freeAccessNumber(in db: Connection) throws -> String? {
        for _ in 1...20 {
            let number = AccessNumber.adding(checkDigitTo: world.digits(for: "access_number"))
            let holder = try AccessSession.find(number: number, in: db)
            if holder.map({ !$0.isLive(at: now) }) ?? true { return number }
        }
        return nil
    }
}

// MARK: - Ending them

extension Sessions {
    /// The session that an access code or an access number names, as long as it can be finished.
    ///
    /// - Parameter wid: what the client sent as `WID`, `wid` or `accessId`.
    func liveSession(_ wid: String, in db: Connection) throws -> AccessSession? {
        let session = try AccessSession.find(wid, in: db) ?? AccessSession.find(number: wid, in: db)
        return session.flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Ends a session well: from now on its browser is told who signed in, and where to go.
    ///
    /// - Parameter session: a live one, read in the same turn.
    /// - Returns: the authorization code, which also stands in the session's `redirectURL`; nil for a session that leads to none, or
    ///   whose application is gone.
    @discardableResult
    func complete(_ session: AccessSession, as identity: Identity, in turn: Turn) throws -> String? {
        var session = session
        session.state = .authenticated
        session.userID = identity.userID
        let code = try session.authorization.flatMap { checked in
            try server.makeCode(
                for: checked, subject: identity.userID, amr: Self.proofMethods, context: identity.mpinID,
                in: turn.db)
        }
        if let code { session.redirectURL = session.authorization?.redirect(with: code) }
        try turn.update(session)
        try admitPage(of: session, as: identity, in: turn)
        return code
    }

    /// `amr` of whoever proved the PIN. Source: oidc-samples, integration tests.
    static let proofMethods = ["token"]

    /// What lets the page of an access number authenticate itself: a verdict of its own, under the secret that it has already.
    private func admitPage(of session: AccessSession, as identity: Identity, in turn: Turn) throws {
        guard session.accessNumber != nil else { return }
        let seconds = try projects.find(session.projectID, in: turn.db)?.proofSeconds ?? 60
        try turn.insert(
            ProofVerdict(
                authOTT: session.webOTT, mpinID: identity.mpinID, isRight: true, scope: [],
                expiresAt: world.time(in: seconds)))
    }
}

// MARK: - Pushes

extension Sessions {
    /// Opens a session, and calls the user's device.
    func open(_ session: AccessSession, calling device: Identity, in project: Project, _ request: Request)
        throws
    {
        try world.change { turn in
            try turn.insert(session)
            try turn.send(push(session, to: device, in: project, request))
        }
    }

    /// The newest identity that a push reaches and that can sign in.
    func requirePushDevice(of userID: String, in project: Project) throws -> Identity {
        let all = try world.database.read { db in try Identity.all(of: userID, in: project.id, db) }
        let able = all.first { identity in
            identity.pushToken != nil && !identity.isExpired(at: now)
                && (identity.state == .active || identity.state == .issued)
        }
        guard let able else {
            throw SessionRefusal.pushTokenMissing(userID: userID, identities: all.count)
        }
        return able
    }

    /// Flat texts, as push services carry them.
    private func push(
        _ session: AccessSession, to device: Identity, in project: Project, _ request: Request
    ) -> Message {
        let qrURL = qrURL(of: session, request)
        let content: JSONValue = [
            "projectID": .string(project.id), "userID": .string(device.userID), "qrURL": .string(qrURL),
        ]
        return Message(
            .push, kind: "push", from: Message.Address(project.name),
            to: Message.Address(device.pushToken ?? "", name: device.deviceName),
            subject: "Sign in to \(project.name)", text: content.text, code: session.accessID, link: qrURL,
            expiresAt: session.expiresAt, source: Vendor.name)
    }
}
