import Essentials
package import HTTP
package import PlatformKit
package import SQLite

/// Hanko: users, passcodes by mail, passkeys, passwords, second factors, accounts of third parties, sessions as JWTs.
///
/// Emulated is the public API of **2.7 in the classic profile**: the REST endpoints that a native app written after the
/// mobile guide calls, and beside them the Flow API (`Flow/Flow.swift` tells how it is built). Upstream registers the passcode and password endpoints only while MFA is off, so the built-in fixtures
/// switch `mfa.enabled` off; with the default configuration of Hanko they answer 404 here as they do there. With
/// `"profile": "current"` everything that 3.x removed is gone.
///
/// Sources: the public source and documentation of Hanko, versions 0.12 to 2.7, and its Android sample; the published
/// OpenAPI descriptions 0.12 and 1.2.0, which are wrong in places (201 where servers answer 200 or 204).
///
/// Kinder than the original, on purpose:
/// - `POST /passcode/login/initialize` with only a `user_id`, right after `POST /users`, uses the address that the user
///   registered. The original depends on the cookie `hanko_email_id` and answers 500 to clients without a cookie jar, the
///   vendor's own Android sample among them. `"strict_pending_address": true` brings the 500 back.
/// - The session that `POST /users` issues while verification is off is stored; the original forgets to.
/// - `DELETE /emails/{id}` of an unknown address is 404, not 500. `POST /emails` refuses an empty address with 400, and
///   makes the first address of a user primary.
/// - `per_page` of the admin API is 1000 at most, hooks are 100 at most, the audit log keeps its newest 10,000 entries.
/// - A third-party account whose address the provider has not verified, and that a flow links to a user by that address, signs in
///   only after a code was sent there; the original signs in whoever claims the address.
/// - A registration whose credential id somebody has is 400, not 500.
/// - Mails speak English, German, French, Italian, Dutch and Brazilian Portuguese, under the profile `next` also Polish; the original also
///   Chinese and Bengali. Subjects are the original's.
/// - The profile `next` is the main branch of 2026-08, after 3.x: host boundaries of redirect URLs, session events, codes of authenticator apps
///   that are good once, `server.ip`. `current` remarks in the journal what it refuses.
/// - In flows, security keys can be added while passkeys are disabled, the limit of passkeys counts passkeys alone, and the last
///   security key may go while an authenticator app remains.
///
/// What the standard of WebAuthn refuses and the original lets pass is let pass with a warning in the journal: foreign frames,
/// backup flags that contradict each other, an algorithm that was not offered, bytes behind the attestation object, a counter that falls
/// back to zero, an old challenge of a login that does not know its user. `"strict_webauthn": true` refuses all of it.
///
/// The vendor's configuration file is taken whole, 2.7 and 3.x, as JSON under `config`; what of it changes nothing here is
/// `ignored` among the members of its sections, and `fixtures check` says so.
///
/// A browser is sent to no redirect URL with user information, whatever pattern it fits.
///
/// The admin API of 2.7 lives at `/hanko-admin`, and at `/hanko/admin` as with the hosted product. As where Hanko is self-hosted,
/// it asks nobody who he is, unless the fixtures set `admin_api_key`. Refusals whose text no document tells have the standard
/// reason phrase. It answers 404 for the credentials and the sessions of an unknown user, as its published description says.
///
/// Webhooks are called once, in the order of events, with 10 s for the answer. The audit log is told in the journal, with
/// addresses unmasked, and stored where `audit_log.storage.enabled` says so. With `email_delivery.enabled` off no mail leaves,
/// so the outbox has none: the webhook `email.send` and the journal have the code.
///
/// Not emulated, and refused with 501 and the name of what is missing: SAML. Left out without a word on the wire: the prefix of a
/// tenant, the management API. Of JWT templates, what is not fields, conditions, `and`, `or`, `not`, `eq`, `ne` and `printf`, and of paths of
/// metadata wildcards, modifiers and pipes: the fixtures are refused for them.
package struct Hanko: Platform, AllowsOrigins, TellsExpiries {
    package typealias Fixtures = HankoFixtures

    package static let name = Vendor.name
    package static let title = Vendor.title

    package static let mounts = [
        Mount(name, routes + hostedAdminRoutes), Mount("hanko-admin", adminRoutes, for: .backEnd),
    ]

    static let routes: [Route<Hanko>] =
        [
            .get("", Hanko.statusPage),
            .get("/", Hanko.statusPage),
            .get("/health/alive", Hanko.healthAlive),
            .get("/health/ready", Hanko.healthReady),
            .get("/.well-known/jwks.json", Hanko.keySet).for(.backEnd),

            .get("/me", Hanko.showMe),
            .get("/sessions/validate", Hanko.validateSession),
            .post("/sessions/validate", Hanko.validateSessionToken).for(.backEnd),
            .post("/logout", Hanko.logOut),

            .post("/login", Hanko.runLogin),
            .post("/registration", Hanko.runRegistration),
            .post("/profile", Hanko.runProfile),
            .post("/token_exchange", Hanko.runTokenExchange),

            .get("/thirdparty/callback", Hanko.receiveThirdParty).for(.browser),
            .post("/thirdparty/callback", Hanko.receiveThirdPartyForm).for(.browser),
        ] + Route.classic(classicRoutes) + associationRoutes + missingRoutes

    /// The endpoints that 3.x removed.
    private static let classicRoutes: [Route<Hanko>] = [
        .get("/.well-known/config", Hanko.publicConfiguration),

        .post("/user", Hanko.findUser),
        .delete("/user", Hanko.deleteUser),
        .post("/users", Hanko.createUser),
        .get("/users", Hanko.listUsers),
        .get("/users/:id", Hanko.showUser),

        .post("/passcode/login/initialize", Hanko.startPasscode),
        .post("/passcode/login/finalize", Hanko.finishPasscode),

        .put("/password", Hanko.setPassword),
        .post("/password/login", Hanko.logInWithPassword),

        .post("/webauthn/registration/initialize", Hanko.startPasskeyRegistration),
        .post("/webauthn/registration/finalize", Hanko.finishPasskeyRegistration),
        .post("/webauthn/login/initialize", Hanko.startPasskeyLogin),
        .post("/webauthn/login/finalize", Hanko.finishPasskeyLogin),
        .get("/webauthn/credentials", Hanko.listCredentials),
        .patch("/webauthn/credentials/:id", Hanko.renameCredential),
        .delete("/webauthn/credentials/:id", Hanko.removeCredential),

        .get("/emails", Hanko.listEmails),
        .post("/emails", Hanko.addEmail),
        .post("/emails/:id/set_primary", Hanko.setPrimaryEmail),
        .delete("/emails/:id", Hanko.removeEmail),

        .get("/thirdparty/auth", Hanko.startThirdParty).for(.browser),
        .post("/token", Hanko.redeemToken),
    ]

    package static let migrations: [SQL] = HankoSchema.migrations

    package static let records: [any Record.Type] = [
        Credential.self, Email.self, Identity.self, Metadata.self, OTPSecret.self, Password.self,
        TrustedDevice.self, User.self, AuditEntry.self, Webhook.self, Flow.self, Passcode.self,
        RateLimitBucket.self, Session.self, ThirdPartyState.self, ThirdPartyToken.self,
        Challenge.self,
    ]

    package static let expiring = [
        Expiring(
            "passcode",
            """
            SELECT CAST(hanko_passcode.created_at + 1000.0 * ttl AS INTEGER) AS at, address AS about FROM hanko_passcode
            JOIN hanko_email ON hanko_email.id = email_id
            """),
        Expiring("session", "SELECT expires_at AS at, user_id AS about FROM hanko_session"),
        Expiring("flow", "SELECT expires_at AS at, kind AS about FROM hanko_flow WHERE state <> 'success'"),
        Expiring("WebAuthn challenge", "SELECT expires_at AS at, ceremony AS about FROM hanko_challenge"),
    ]

    package let world: World

    package init(_ world: World) { self.world = world }

    /// What the fixtures say of this world's server, decoded once.
    func configuration() throws -> Configuration {
        try services.memo.value("hanko.configuration") {
            try database.read { try HankoSettings.kept.value(in: $0) }?.configuration ?? Configuration()
        }
    }

    /// Of its API, by itself: who asks for no more need not copy all of the configuration.
    func generation() throws -> OwnRules.Generation {
        try services.memo.value("hanko.generation") { try configuration().own.generation }
    }

    package func crossOriginPolicy(for _: Request) throws -> CrossOriginPolicy {
        try services.memo.value("hanko.cors") { try configuration().crossOriginPolicy }
    }
}

extension Hanko {
    package static func response(for error: any Error) throws -> Response {
        switch error {
        case let refusal as HankoRefusal:
            var response = response(refusal.status, refusal.message)
            for (name, value) in refusal.headers { response.headers.add(name, value) }
            return response
        case let refusal as FlowRefusal: return refusal.answer ?? .flowRefused(refusal)
        case let broken as FlowBroken: return .flowRefused(.technical(broken.description))
        case let unknown as RouteUnknown:
            if let refusal = emptyIDRefusal(unknown) { return try response(for: refusal) }
            var response = response(unknown.status)
            response.headers["Allow"] = unknown.allow
            return response
        case is AssociationFileMissing: return response(.notFound)
        case is RequestMalformed: return response(.badRequest)
        default: return response(.internalServerError)
        }
    }

    /// The body says the status too.
    package static func errorResponse(_ status: Status) throws -> Response { response(status) }

    /// `{"code":404,"message":"Not Found"}`
    private static func response(_ status: Status, _ message: String? = nil) -> Response {
        var answer = JSONObjectWriter()
        answer.add("code", .integer(status.code))
        answer.add("message", .string(message ?? status.reason))
        return .hanko(bytes: answer.bytes, status: status)
    }
}
