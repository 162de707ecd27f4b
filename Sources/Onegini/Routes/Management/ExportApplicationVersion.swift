import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension Onegini {
    /// `GET …/versions/{versionName}/export`: what the vendor's SDK is configured with.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 200 with a zip file that holds `config.json`.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, application version API; the public source of the vendor's SDK configurator, which reads
    ///   the members. `server_public_key` is the SHA-256 of the signing key in 64 hex digits, as in the vendor's examples: assumed.
    ///   The original's folder `certificates` is left out: whoever serves TLS in front of this server knows them.
    func exportApplicationVersion(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let (application, version) = try database.read { try $0.findVersion(request) }
        let key = try services.keys.signing(Self.name, .keyPair(.rs256)).privateKey.publicKey.der()
        var archive = ZipArchive()
        let configuration: JSONValue = [
            "max_pin_failures": .integer(application.maxPINAttempts),
            "token_server_uri": .string(request.worldURL + "/"),
            "application_identifier": .string(application.identifier),
            "application_platform": .string(version.platform.rawValue),
            "application_version": .string(version.name),
            "resource_gateway_uri": JSONValue(application.resourceGatewayURIs),
            "redirect_url": .string(application.redirectURIs.first ?? ""),
            "server_public_key": [
                "encoded": .string(Hex.encode(Digest.sha256(key)).uppercased()), "algorithm": "SHA-256",
            ],
            "server_type": "Access",
            "server_version": "6.0.0",
        ]
        archive.add("config.json", configuration.bytes)
        return Response(
            headers: [
                "Content-Type": "application/zip;charset=UTF-8", "Cache-Control": "no-store",
                "Pragma": "no-cache",
                "Content-Disposition": "attachment; filename=\"config.zip\"",
            ], body: archive.bytes)
    }
}
