import Essentials
import HTTP
package import PlatformKit

extension MIRACL: ConfiguresApps {
    /// `GET /service`: what an app needs that configures itself by a QR code.
    ///
    /// - Request: the project, by header or query.
    /// - Response: `200 {"name", "url", "rps_prefix", "logo_url", "type": "online"}`.
    /// - Errors: `403 FORBIDDEN` for an unknown project.
    /// - Source: Milagro MFA SDK core; mfa-client-sdk-ios.
    func tellService(_ request: Request) throws -> Response {
        let project = try projects.require(request)
        return .answer([
            "name": .string(project.name), "url": .string(request.baseURL), "rps_prefix": "rps/v2",
            "logo_url": .string(project.logoURL ?? ""), "type": "online",
        ])
    }

    /// `GET /.well-known/project-configuration`: which project this host is of.
    ///
    /// - Request: nothing; the project by header or query where there are several.
    /// - Response: `200 {"id": "understudy"}`.
    /// - Errors: `403 FORBIDDEN` for an unknown project.
    /// - Source: oidc-samples, integration tests.
    func tellProject(_ request: Request) throws -> Response {
        .answer(["id": .string(try projects.require(request).id)])
    }

    /// One for each project, with the client id of its first application, by which the classic SDK says who it is.
    package func appConfigurations() throws -> [AppConfiguration] {
        try projects.all().map { project in
            let client = project.applications?.first?.clientID
            return AppConfiguration(
                application: project.id, mount: Self.name, values: client.map { ["clientID": $0] } ?? [:])
        }
    }
}
