import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

// The browser that a request comes from: its cookies, its session.
extension AuthorizationServer {
    func cookies(_ request: Request) -> BrowserCookies { BrowserCookies(profile.name, request) }

    /// The value of a cookie of ours; nil for one that we never set.
    private func cookie(_ name: String, _ request: Request) -> String? {
        guard let value = request.cookie(name), value.utf8.count == 64, Hex.decode(value) != nil else {
            return nil
        }
        return value
    }

    func browserID(_ request: Request) -> String? { cookie(cookies(request).browser, request) }

    func hasSessionCookie(_ request: Request) -> Bool { cookie(cookies(request).session, request) != nil }

    /// The session of the browser, while it lives and its user exists.
    func session(_ request: Request, in db: Connection) throws -> BrowserSession? {
        guard let value = cookie(cookies(request).session, request),
            let session = try sessions.find(digest: Handle.digest(value), in: db), session.expiresAt > now,
            try users.username(of: session.subject, in: db) != nil
        else { return nil }
        return session
    }

    /// Begins a conversation.
    ///
    /// - Returns: its handle.
    func begin(
        _ kind: Interaction.Kind, _ parameters: String, pushedURI: String? = nil, loginSession: String? = nil
    ) throws -> String {
        let handle = Base64URL.encode(bytes(24, for: "interaction"))
        let now = now
        let interaction = Interaction(
            digest: Handle.digest(handle), kind: kind, parameters: parameters, pushedURI: pushedURI,
            secret: bytes(32, for: "interaction.secret"), loginSession: loginSession, createdAt: now,
            expiresAt: now.addingTimeInterval(Interaction.lifetimeSeconds))
        try world.change { turn in
            turn.concern(interaction.subjects)
            try interactions.begin(interaction, in: turn.db)
        }
        return handle
    }

    /// One of the server's pages for a conversation, at the host where the browser is: there its cookies are.
    func address(_ paths: [String], _ handle: String, _ request: Request) -> String {
        target(paths, request) + "?interaction=" + handle.percentEncoded
    }

    /// Where the form of a page goes.
    func target(_ paths: [String], _ request: Request) -> String { request.mount + (paths.first ?? "") }
}

extension AuthorizationServer {
    /// The conversation that a page's address or a form names.
    ///
    /// - Throws: ``PageRefusal``.
    func open(_ handle: String?, _ kinds: [Interaction.Kind], _ request: Request) throws -> OpenInteraction {
        guard let handle, !handle.isEmpty else { throw PageRefusal(.interactionMissing) }
        let found = try database.read { db in
            try interactions.find(Handle.digest(handle), at: now, in: db)
        }
        guard let found, kinds.contains(found.kind) else { throw PageRefusal(.interactionUnknown) }
        for subject in found.subjects { services.journal.concern(subject) }
        let known = browserID(request)
        let browser = known ?? Hex.encode(bytes(32, for: "browser"))
        return OpenInteraction(
            interaction: found, handle: handle, browser: browser,
            newCookie: known == nil ? cookies(request).setBrowser(browser) : nil,
            token: FormToken.make(found, browser: browser, at: now))
    }

    /// The conversation that a form continues, once the form has proved to be ours.
    ///
    /// - Parameter paths: of the page that has the form.
    /// - Throws: ``PageRefusal``.
    func openForm(
        _ kinds: [Interaction.Kind], _ paths: [String], _ request: Request
    ) throws -> OpenInteraction {
        let form = try boundedForm(request)
        let opened = try open(form["interaction"], kinds, request)
        let retry = address(paths, opened.handle, request)
        guard opened.newCookie == nil else { throw PageRefusal(.cookieMissing, retry: retry) }
        if let fault = FormToken.fault(form["csrf"], opened.interaction, browser: opened.browser, at: now) {
            throw PageRefusal(.formToken(fault), retry: retry)
        }
        return opened
    }

    func boundedForm(_ request: Request) throws -> Form {
        guard request.body.count <= AuthorizationParameters.byteLimit else {
            throw PageRefusal(.tooLarge(request.body.count))
        }
        return request.form
    }
}

// Redirects to apps.
extension AuthorizationServer {
    /// The redirect, or a page with a button in its place where it leads to an app and the fixtures want that.
    func confirming(_ response: Response) throws -> Response {
        guard response.status == .seeOther, let target = response.headers["Location"],
            try confirmsRedirect(to: target)
        else { return response }
        var page = AppRedirectPage.make(target).response
        for cookie in response.headers.values(of: "Set-Cookie") { page.headers.add("Set-Cookie", cookie) }
        return page
    }

    func confirmsRedirect(to target: String) throws -> Bool {
        guard RedirectURI.isOfApp(target) else { return false }
        return try database.read { db in try browserSettings(in: db) }.confirmsAppRedirects
    }
}
