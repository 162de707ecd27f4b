import HTTP
package import PlatformKit

extension PasskeyAPI {
    package static let mounts = [Mount(name, routes), Mount("passkeyapi-admin", adminRoutes, for: .backEnd)]

    private static let routes: [Route<PasskeyAPI>] =
        [
            .get("/", PasskeyAPI.showStatus),
            .get("/:tenant_id/.well-known/jwks.json", PasskeyAPI.showKeys),

            .post("/:tenant_id/registration/finalize", PasskeyAPI.finishRegistration),
            .post("/:tenant_id/login/initialize", PasskeyAPI.beginLogin),
            .post("/:tenant_id/login/finalize", PasskeyAPI.finishLogin),
        ] + backEndRoutes.map { $0.for(.backEnd) }

    private static let backEndRoutes: [Route<PasskeyAPI>] = [
        .get("/:tenant_id/credentials", PasskeyAPI.listCredentials),
        .get("/:tenant_id/credentials/:credential_id", PasskeyAPI.showCredential),
        .patch("/:tenant_id/credentials/:credential_id", PasskeyAPI.renameCredential),
        .delete("/:tenant_id/credentials/:credential_id", PasskeyAPI.deleteCredential),

        .post("/:tenant_id/registration/initialize", PasskeyAPI.beginRegistration),

        .post("/:tenant_id/transaction/initialize", PasskeyAPI.beginTransaction),
        .post("/:tenant_id/transaction/finalize", PasskeyAPI.finishTransaction),
        .get("/:tenant_id/transaction/:user_id", PasskeyAPI.listTransactions),

        .post("/:tenant_id/mfa/registration/initialize", PasskeyAPI.beginMFARegistration),
        .post("/:tenant_id/mfa/registration/finalize", PasskeyAPI.finishMFARegistration),
        .post("/:tenant_id/mfa/login/initialize", PasskeyAPI.beginMFALogin),
        .post("/:tenant_id/mfa/login/finalize", PasskeyAPI.finishMFALogin),

        .get("/:tenant_id/audit_logs", PasskeyAPI.listAuditLogs),
    ]

    /// What the admin API has, each of which says that it is not emulated.
    private static let adminRoutes: [Route<PasskeyAPI>] = [
        ([.get, .post], "/tenants"),
        ([.get, .put, .delete], "/tenants/:tenant_id"),
        ([.put], "/tenants/:tenant_id/config"),
        ([.get], "/tenants/:tenant_id/audit_logs"),
        ([.get, .post], "/tenants/:tenant_id/secrets/api"),
        ([.delete], "/tenants/:tenant_id/secrets/api/:secret_id"),
        ([.get, .post], "/tenants/:tenant_id/secrets/jwk"),
        ([.delete], "/tenants/:tenant_id/secrets/jwk/:secret_id"),
        ([.get], "/tenants/:tenant_id/users"),
        ([.get, .delete], "/tenants/:tenant_id/users/:user_id"),
    ].flatMap { (methods: [Request.Method], pattern: String) in
        methods.map { Route($0, pattern, PasskeyAPI.refuseAdmin) }
    }
}
