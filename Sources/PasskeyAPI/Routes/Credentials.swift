import Essentials
import HTTP
import PlatformKit
import SQLite

extension PasskeyAPI {
    private struct CredentialOutput: Encodable {
        let id: String
        let name: String?
        let public_key: String
        let attestation_type: String
        let aaguid: String
        let last_used_at: Date?
        let created_at: Date
        let transports: [String]
        let backup_eligible: Bool
        let backup_state: Bool
        let is_mfa: Bool
        let user_id: String

        init(_ credential: Credential) {
            (id, name, public_key) = (credential.id, credential.name, credential.publicKey)
            (attestation_type, aaguid) = (credential.attestationType, credential.aaguid)
            (last_used_at, created_at) = (credential.lastUsedAt, credential.createdAt)
            transports = credential.transports
            (backup_eligible, backup_state) = (credential.isBackupEligible, credential.isBackedUp)
            (is_mfa, user_id) = (credential.isMFA, credential.userID)
        }
    }

    /// `GET /{tenant_id}/credentials`: a page of them, the newest first.
    ///
    /// - Request: `apiKey`; query `user_id`, `page`, `per_page` (20, at most 1000), `order` (`desc`, `asc`).
    /// - Response: `200 [{"id", "name"?, "public_key", "attestation_type", "aaguid", "last_used_at"?, "created_at", "transports",
    ///   "backup_eligible", "backup_state", "is_mfa", "user_id"}]`; `Link`, `X-Total-Count`.
    /// - Errors: `The api key is invalid`; `unable to validate request` for another order, `unable to process request` for no number.
    /// - Source: the vendor's server, credentials. The limit of `per_page` is ours.
    func listCredentials(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        let query = request.queryItems
        let page = try ListPage(of: query)
        let order = query["order"] ?? ""
        guard ["", "asc", "desc"].contains(order) else {
            throw PasskeyAPIRefusal.invalid(["order must be one of 'desc asc'"])
        }
        let user = query["user_id"].flatMap { $0.isEmpty ? nil : $0 }
        let condition: SQL = "tenant_id = \(tenant.id) AND (\(user) IS NULL OR user_id = \(user))"
        let (found, total) = try database.read { db in
            let sorting: SQL = order == "asc" ? "created_at, rowid" : "created_at DESC, rowid DESC"
            return (
                try db.all(
                    Credential.self, where: condition, order: sorting, limit: page.size, offset: page.offset),
                try db.count(Credential.self, where: condition)
            )
        }
        var response = try Response.passkeyAPI(found.map(CredentialOutput.init))
        page.describe(total, of: request, in: &response)
        return response
    }

    /// `GET /{tenant_id}/credentials/{credential_id}`: one of them.
    ///
    /// - Request: `apiKey`.
    /// - Response: `200`, as in the list.
    /// - Errors: `The api key is invalid`; 404.
    /// - Source: the vendor's server, credentials.
    func showCredential(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        let found = try database.read { try Self.credential(of: request, tenant, in: $0) }
        return try .passkeyAPI(CredentialOutput(found))
    }

    /// `PATCH /{tenant_id}/credentials/{credential_id}`: gives it another name.
    ///
    /// - Request: `apiKey`; `{"name"}`.
    /// - Response: `204`.
    /// - Errors: `The api key is invalid`; `unable to validate request`; 404.
    /// - Source: the vendor's server, credentials.
    func renameCredential(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        var members = try PostedMembers(request)
        let name = try members.required("name")
        try members.check()
        try world.change { turn in
            var credential = try Self.credential(of: request, tenant, in: turn.db)
            credential.name = name
            try turn.update(credential, .name)
            try log(request, of: tenant).note(.credentialUpdated, user: credential.userID, in: turn)
        }
        return .noContent
    }

    /// `DELETE /{tenant_id}/credentials/{credential_id}`: forgets it.
    ///
    /// - Request: `apiKey`.
    /// - Response: `204`.
    /// - Errors: `The api key is invalid`; 404.
    /// - Source: the vendor's server, credentials.
    func deleteCredential(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        try world.change { turn in
            try turn.delete(try Self.credential(of: request, tenant, in: turn.db))
            try log(request, of: tenant).note(.credentialDeleted, in: turn)
        }
        return .noContent
    }

    private static func credential(
        of request: Request, _ tenant: Tenant, in db: Connection
    ) throws -> Credential {
        let id = request.parameter("credential_id")
        guard let found = try Credential.find(id, of: tenant.id, in: db) else {
            throw PasskeyAPIRefusal.credentialUnknown(id)
        }
        return found
    }
}
