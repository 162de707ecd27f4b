import Essentials
import HTTP
import JOSE
import PlatformKit

extension PasskeyAPI {
    /// `GET /`: that the service is up.
    ///
    /// - Request: nothing.
    /// - Response: `200`, a page.
    /// - Errors: none.
    /// - Source: the vendor's server, status.
    func showStatus(_: Request) throws -> Response {
        Response(
            status: .ok, headers: ["Content-Type": "text/html; charset=UTF-8"],
            body: Array(
                "<!DOCTYPE html>\n<html><head><title>API Integration Status</title></head>\n<body><h1>API Status</h1>\n<p>✅ API is running.</p></body></html>\n"
                    .utf8))
    }

    /// `GET /{tenant_id}/.well-known/jwks.json`: the keys that sign the tenant's tokens.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"keys": […]}`, for ten minutes.
    /// - Errors: none beside those of the tenant.
    /// - Source: the vendor's server, well-known.
    func showKeys(_ request: Request) throws -> Response {
        let keys = try TenantTokens(tenant: tenant(of: request), services: services).published()
        var response = Response.passkeyAPI(bytes: try JWKS(keys).published.json())
        response.headers["Cache-Control"] = "max-age=600"
        return response
    }

    /// `/passkeyapi-admin/…`: the admin API, which is not emulated.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501.
    /// - Source: ours.
    func refuseAdmin(_: Request) throws -> Response { throw PasskeyAPIRefusal.adminAPI }
}
