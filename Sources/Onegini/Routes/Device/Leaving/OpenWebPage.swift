import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/app-to-web`: a link that opens a registered page with the user signed in. Good once, for a minute.
    ///
    /// - Request: an access token, and `{"target_url"}`.
    /// - Response: `200 {"redirect_url", "token"}`.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 403 `single_sign_on_disabled` 10023, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func openWebPage(_ request: Request) throws -> Response {
        let user = try authentication.requireUser(request)
        let target = try Members(ofDevice: request).text("target_url")
        let token = registry.handle("app_link")
        try world.change { turn in
            let application = try turn.db.application(of: user.device)
            guard !application.singleSignOnTargets.isEmpty else {
                throw AppLinkRefusal.disabled(application: application.identifier)
            }
            guard application.singleSignOnTargets.contains(target) else {
                throw AppLinkRefusal.targetUnknown(target, known: application.singleSignOnTargets)
            }
            try turn.insert(
                AppLink(
                    digest: Self.digest(token), subject: user.profile.subject, target: target,
                    expiresAt: turn.now + Double(AppLink.lifetimeSeconds)))
        }
        return .oauth([
            "redirect_url": .string("\(request.baseURL)/sdk/v1/app-to-web/\(token)"),
            "token": .string(token),
        ])
    }

    /// `GET /sdk/v1/app-to-web/{token}`: the link itself, as a browser follows it.
    ///
    /// - Request: nothing but the path.
    /// - Response: 302 to the page, with the session of the user.
    /// - Errors: 404 `not_found` for a link that was used, expired or never made.
    /// - Source: the device protocol.
    func followAppLink(_ request: Request) throws -> Response {
        let digest = Self.digest(request.parameter("token"))
        let (link, user) = try world.change { turn in
            // Used up, also when it leads nowhere.
            let link = try turn.take(AppLink.self, where: "digest = \(digest)")
            return (link, try link.flatMap { try server.users.find($0.subject, in: turn.db) })
        }
        guard let link else {
            throw AppLinkRefusal.linkUnknown(reason: "it was used already, or is of another world")
        }
        guard server.now < link.expiresAt else {
            throw AppLinkRefusal.linkUnknown(
                reason: "it expired \(server.now.seconds(since: link.expiresAt)) s ago")
        }
        guard let user else {
            throw AppLinkRefusal.linkUnknown(
                reason: "“\(link.subject)” is not a user of the login pages; add one to oauth.users")
        }
        let login = try server.logIn(user, amr: ["app"], for: nil, request)
        var response = Response(
            status: .found, headers: ["Location": link.target, "Cache-Control": "no-store"])
        for cookie in login.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    private static func digest(_ token: String) -> String { Hex.encode(Digest.sha256(Array(token.utf8))) }
}
