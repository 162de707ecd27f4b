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
/// So far: the portal of the Onegini guide «Mobile authentication with OTP», `/app/portal`, where a user logs in by scanning a QR
/// code with an app in which they are logged in already; and the back end of Wultra's article «Implement Login in Mobile Apps»:
/// `/app/login` by authentication code, `/app/login/init` and `/app/login/confirm` by an operation that the user approves. `/app/passkeys`
/// is a page without a back end of its own, which registers and logs in with passkeys at Hanko. And the relying party of MIRACL's samples:
/// `/app/authzurl` and `/app/authtoken` for apps, `/app/miracl` and `/app/login` for browsers, `/app/document` for signatures.
/// `/app/nextauth/token` is the token service that nextAuth's guide of AppLogin recommends: a web nonce in, an access token out.
package struct SampleApp: Platform {
    package typealias Fixtures = SampleAppFixtures

    package static let name = "app"
    package static let title = "Sample app"

    package static let routes: [Route<SampleApp>] =
        AuthorizationServer.routes(of: { $0.tokens }, profile: tokenService) + ownRoutes

    private static let ownRoutes: [Route<SampleApp>] = [
        .get("/portal", SampleApp.showPortal),
        .post("/portal/login", SampleApp.startLogin),
        .get("/portal/login/:id", SampleApp.showLogin),
        .post("/portal/callback", SampleApp.receiveCallback),
        .post("/portal/logout", SampleApp.logOut),

        .get("/passkeys", SampleApp.showPasskeys),

        .post("/login", SampleApp.logInByCode),
        .post("/login/init", SampleApp.initLogin),
        .post("/login/confirm", SampleApp.confirmLogin),
        .get("/me", SampleApp.showUser),

        .post("/authzurl", SampleApp.makeAuthorizeURL),
        .post("/authtoken", SampleApp.tradeMIRACLCode),
        .get("/login", SampleApp.finishMIRACLLogin),
        .get("/miracl", SampleApp.showMIRACL),
        .post("/miracl/login", SampleApp.startMIRACLLogin),
        .post("/miracl/logout", SampleApp.endMIRACLSession),
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
        SettingsStore.migrations + LoginStore.migrations + MobileLoginStore.migrations
        + MIRACLLoginStore.migrations + NextAuthSettingsStore.migrations

    let logins: LoginStore
    let mobileLogins: MobileLoginStore
    let miraclLogins: MIRACLLoginStore
    let nextAuthSettings: NextAuthSettingsStore
    /// The token service.
    let tokens: AuthorizationServer
    let settings: SettingsStore
    let services: Services

    package init(_ world: World) {
        logins = LoginStore(database: world.database)
        mobileLogins = MobileLoginStore(database: world.database)
        miraclLogins = MIRACLLoginStore(database: world.database)
        nextAuthSettings = NextAuthSettingsStore(database: world.database)
        tokens = AuthorizationServer(Self.tokenService, world: world)
        settings = SettingsStore(database: world.database)
        services = world.services
    }

    package static func load(_ fixtures: SampleAppFixtures, into db: Connection) throws {
        try SettingsStore.load(fixtures.portal ?? PortalSettings(), into: db)
        for (index, login) in (fixtures.logins ?? []).enumerated() {
            try LoginStore.load(login, at: ["logins", String(index)], into: db)
        }
        if let settings = fixtures.mobileLogin { try MobileLoginStore.load(settings, into: db) }
        for (index, login) in (fixtures.mobileLogins ?? []).enumerated() {
            try MobileLoginStore.load(login, at: ["mobile_logins", String(index)], into: db)
        }
        if let settings = fixtures.miraclLogin { try MIRACLLoginStore.load(settings, into: db) }
        for (index, login) in (fixtures.miraclLogins ?? []).enumerated() {
            try MIRACLLoginStore.load(login, at: ["miracl_logins", String(index)], into: db)
        }
        if let settings = fixtures.nextAuthTokens { try NextAuthSettingsStore.load(settings, into: db) }
        if let issued = fixtures.tokenService {
            try AuthorizationServer.load(issued, server: name, at: ["token_service"], into: db)
        }
        for (index, session) in (fixtures.sessions ?? []).enumerated() {
            try LoginStore.load(session, at: ["sessions", String(index)], into: db)
        }
    }

    package static func export(from db: Connection) throws -> SampleAppFixtures {
        SampleAppFixtures(
            portal: try SettingsStore.settings(in: db), logins: try LoginStore.logins(in: db),
            mobileLogin: try MobileLoginStore.settings(in: db),
            mobileLogins: try MobileLoginStore.logins(in: db),
            miraclLogin: try MIRACLLoginStore.settings(in: db),
            miraclLogins: try MIRACLLoginStore.logins(in: db),
            nextAuthTokens: try NextAuthSettingsStore.settings(in: db),
            tokenService: try AuthorizationServer.export(server: name, from: db),
            sessions: try LoginStore.sessions(in: db))
    }
}
