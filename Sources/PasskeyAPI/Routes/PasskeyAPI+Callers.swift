import Essentials
import HTTP
import PlatformKit
import SQLite
import WebAuthn

extension PasskeyAPI {
    /// The tenant of the path.
    ///
    /// - Throws: ``PasskeyAPIRefusal/tenantMalformed(_:)``, ``PasskeyAPIRefusal/tenantUnknown(_:)``.
    func tenant(of request: Request) throws -> Tenant {
        let id = request.parameter("tenant_id")
        guard UUIDText.isOne(id) else { throw PasskeyAPIRefusal.tenantMalformed(id) }
        let known = id.lowercased()
        guard let tenant = try database.read({ try $0.first(Tenant.self, where: "lower(id) = \(known)") })
        else { throw PasskeyAPIRefusal.tenantUnknown(id) }
        return tenant
    }

    /// The tenant of the path, for a back end that has one of its API keys.
    func tenantOfBackEnd(_ request: Request) throws -> Tenant {
        let tenant = try tenant(of: request)
        try requireKey(request, of: tenant)
        return tenant
    }

    /// - Throws: ``PasskeyAPIRefusal/apiKeyWrong(_:)``.
    func requireKey(_ request: Request, of tenant: Tenant) throws {
        let key = request.headers["apiKey"]?.trimmed
        guard let key, tenant.apiKeys.contains(key) else { throw PasskeyAPIRefusal.apiKeyWrong(key) }
    }

    func log(_ request: Request, of tenant: Tenant) -> AuditLog {
        AuditLog(tenant: tenant, request: request, services: services)
    }

    /// The credential in the body.
    ///
    /// - Throws: ``PasskeyAPIRefusal/unreadable(_:_:)``.
    static func posted(_ request: Request, _ operation: Challenge.Operation) throws -> PostedCredential {
        do {
            return try PostedCredential(
                JSONValue(parsing: request.body), operation == .registration ? .registration : .authentication
            )
        } catch let fault as PostedCredentialFault {
            throw PasskeyAPIRefusal.unreadable(fault, operation)
        } catch let error as DecodingError {
            let fault = PostedCredentialFault(.json, "the body is not one JSON value: \(error.sentence)")
            throw PasskeyAPIRefusal.unreadable(fault, operation)
        }
    }
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
