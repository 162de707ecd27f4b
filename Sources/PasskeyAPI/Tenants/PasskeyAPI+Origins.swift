package import HTTP
package import PlatformKit
import SQLite

extension PasskeyAPI: AllowsOrigins {
    /// Those of the tenant in the path.
    ///
    /// - Source: the vendor's server, CORS by tenant: methods and age are the library's, with credentials.
    package func crossOriginPolicy(for request: Request) throws -> CrossOriginPolicy {
        // Behind the mount.
        let id = request.path.split(separator: "/").dropFirst().first.map { $0.lowercased() } ?? ""
        guard let tenant = try database.read({ try $0.first(Tenant.self, where: "lower(id) = \(id)") }) else {
            return .none
        }
        let origins = tenant.cors.origins
        return CrossOriginPolicy(
            allowedOrigins: origins, allowsPatterns: true,
            allowsCredentials: !origins.contains("*") || tenant.cors.allowsUnsafeWildcard == true)
    }
}
