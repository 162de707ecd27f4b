import Essentials
import HTTP
import OpenID
package import PlatformKit
package import SQLite

/// The back end of the app of each guide: what an integrator has to build, done as we would want it copied.
///
/// It is a client like any other. It knows the platforms by their public HTTP interfaces alone, with credentials of its own from
/// the fixtures, and believes nothing that it has not asked for itself.
///
/// So far: the portal of the Onegini guide “Mobile authentication with OTP”, `/app/portal`, where a user logs in by scanning a QR
/// code with an app in which they are logged in already; and the back end of Wultra's article “Implement Login in Mobile Apps”:
/// `/app/login` by authentication code, `/app/login/init` and `/app/login/confirm` by an operation that the user approves. `/app/passkeys`
/// is a page without a back end of its own, which registers and logs in with passkeys at Hanko. And the relying party of MIRACL's samples:
/// `/app/authzurl` and `/app/authtoken` for apps, `/app/miracl` and `/app/login` for browsers, `/app/document` for signatures.
/// `/app/nextauth/token` is the token service that nextAuth's guide of AppLogin recommends: a web nonce in, an access token out.
package struct SampleApp: Platform, TellsExpiries, ShowsPages {
    package typealias Fixtures = SampleAppFixtures

    package static let name = "app"
    package static let title = "Sample app"

    package static let mounts = [Mount(name, routes)]

    static let routes: [Route<SampleApp>] =
        AuthorizationServer.routes(of: { $0.tokens }, profile: tokenService) + ownRoutes

    private static let ownRoutes: [Route<SampleApp>] = [
        .get("/portal", SampleApp.showPortal).for(.browser),
        .post("/portal/login", SampleApp.startLogin).for(.browser),
        .get("/portal/login/:id", SampleApp.showLogin).for(.browser),
        .post("/portal/callback", SampleApp.receiveCallback).for(.platform),
        .post("/portal/logout", SampleApp.logOut).for(.browser),

        .get("/passkeys", SampleApp.showPasskeys).for(.browser),

        .post("/login", SampleApp.logInByCode),
        .post("/login/init", SampleApp.initLogin),
        .post("/login/confirm", SampleApp.confirmLogin),
        .get("/me", SampleApp.showUser),

        .post("/authzurl", SampleApp.makeAuthorizeURL),
        .post("/authtoken", SampleApp.tradeMIRACLCode),
        .get("/login", SampleApp.finishMIRACLLogin).for(.browser),
        .get("/miracl", SampleApp.showMIRACL).for(.browser),
        .post("/miracl/login", SampleApp.startMIRACLLogin).for(.browser),
        .post("/miracl/logout", SampleApp.endMIRACLSession).for(.browser),
        .post("/login/CreateDocumentHash", SampleApp.hashDocument),
        .post("/document", SampleApp.hashDocument),
        .post("/login/VerifySignature", SampleApp.verifySignature),
        .post("/verify-signature", SampleApp.verifySignature),

        // In the place of the authorization server's own.
        .post("/nextauth/token", SampleApp.tradeWebNonce),
        .get("/nextauth/me", SampleApp.showNextAuthUser),
    ]

    package static let foundations = [AuthorizationServer.schema]

    package static let pages = [
        PageLink("Portal: log in by scanning a QR code", "/portal"),
        PageLink("Passkeys: register and log in at Hanko", "/passkeys"),
        PageLink("MIRACL: sign in by scanning a code", "/miracl"),
    ]

    package static let migrations: [SQL] =
        Login.migrations + Session.migrations + MobileLogin.migrations + MIRACLLogin.migrations

    package static let records: [any Record.Type] = [
        Login.self, Session.self, MobileLogin.self, MIRACLLogin.self,
    ]

    package let world: World
    /// The token service.
    let tokens: AuthorizationServer

    package static let expiring =
        [
            Expiring(
                "portal login",
                "SELECT expires_at AS at, user AS about FROM app_login WHERE answered_at IS NULL"),
            Expiring("portal session", "SELECT expires_at AS at, user AS about FROM app_session"),
        ] + AuthorizationServer.expiring(at: name)

    package init(_ world: World) {
        self.world = world
        tokens = AuthorizationServer(Self.tokenService, world: world)
    }

    /// What the fixtures say, or what holds without them.
    func settings<Value: Codable & Sendable>(_ kept: Setting<Value>, else standard: Value) throws -> Value {
        try database.read { try kept.value(in: $0) } ?? standard
    }

    package static func load(_ fixtures: SampleAppFixtures, into db: Connection) throws {
        try fixtures.portal?.check()
        try PortalSettings.kept.set(fixtures.portal, in: db)
        try fixtures.mobileLogin?.check()
        try MobileLoginSettings.kept.set(fixtures.mobileLogin, in: db)
        try fixtures.miraclLogin?.check()
        try MIRACLSettings.kept.set(fixtures.miraclLogin, in: db)
        try fixtures.nextAuthTokens?.check()
        try NextAuthSettings.kept.set(fixtures.nextAuthTokens, in: db)
        var rules = FixtureRules()
        try lists.load(fixtures, &rules, into: db)
        if let issued = fixtures.tokenService {
            try AuthorizationServer.load(issued, server: name, at: ["token_service"], into: db)
        }
    }

    package static func export(from db: Connection) throws -> SampleAppFixtures {
        var fixtures = SampleAppFixtures()
        fixtures.portal = try PortalSettings.kept.value(in: db)
        fixtures.mobileLogin = try MobileLoginSettings.kept.value(in: db)
        fixtures.miraclLogin = try MIRACLSettings.kept.value(in: db)
        fixtures.nextAuthTokens = try NextAuthSettings.kept.value(in: db)
        fixtures.tokenService = try AuthorizationServer.export(server: name, from: db)
        try lists.export(into: &fixtures, from: db)
        return fixtures
    }

    private static let lists: [RecordList<SampleAppFixtures, FixtureRules>] = [
        RecordList("logins", \.logins) { rules, login, path in
            try rules.add(login.id, to: "login", at: path + ["id"])
            try rules.add(login.transactionID, to: "transaction", at: path + ["transaction_id"])
        },
        RecordList("mobile_logins", \.mobileLogins) { rules, login, path in
            try rules.add(login.operationID, to: "operation", at: path + ["operation_id"])
        },
        RecordList("miracl_logins", \.miraclLogins) { rules, login, path in
            try rules.add(login.state, to: "state", at: path + ["state"])
            try rules.add(login.nonce, to: "nonce", at: path + ["nonce"])
        },
        RecordList("sessions", \.sessions) { rules, session, path in
            try rules.add(session.id, to: "session", at: path + ["id"])
        },
    ]
}
