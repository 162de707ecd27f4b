import Crypto
import Essentials
import OpenID
import PlatformKit

/// A device that has just registered, with what only it is told.
struct NewDevice: Sendable {
    let client: Client
    let device: Device
    let application: ApplicationSettings
    let registrationToken: String

    /// Source: RFC 7591 §3.2.1, RFC 7592 §3; the device protocol.
    ///
    /// - Parameter path: of the registration endpoint, with scheme and authority.
    func members(_ path: String) throws -> [String: JSONValue] {
        [
            "client_id": .string(client.id), "client_secret": client.secret.map(JSONValue.string) ?? .null,
            "client_id_issued_at": .integer(client.createdAt.unixSeconds), "client_secret_expires_at": 0,
            "redirect_uris": JSONValue(client.redirectURIs), "grant_types": JSONValue(client.grantTypes),
            "response_types": JSONValue(client.responseTypes),
            "token_endpoint_auth_method": .string(client.authentication.rawValue),
            "scope": .string(client.scopes.text),
            "registration_client_uri": .string("\(path)/\(client.id)"),
            "registration_access_token": .string(registrationToken),
            "device_id": .string(device.clientID), "device_name": .string(device.name),
        ]
    }
}

extension DeviceRegistry {
    /// A device and its client, which stand in no table yet.
    ///
    /// - Parameter name: one is made up without it.
    func newDevice(
        _ application: ApplicationSettings, _ version: ApplicationVersion, name: String?, model: String?,
        osVersion: String?
    ) -> NewDevice {
        let id = handle("client_id")
        let token = Base64URL.encode(services.entropy.bytes(32, "onegini.registration_token"))
        let client = Client(
            id: id, secret: handle("client_secret"), kind: DeviceRegistry.clientKind,
            metadata: application.clientMetadata(version: version.name),
            registrationDigest: Digest.sha256(Array(token.utf8)), createdAt: now)
        let device = Device(
            clientID: id, application: application.identifier, platform: version.platform,
            version: version.name, name: name, model: model,
            osVersion: osVersion, createdAt: now)
        return NewDevice(client: client, device: device, application: application, registrationToken: token)
    }

    /// 32 random bytes as 64 hex digits in upper case. Source: the vendor's examples.
    func handle(_ purpose: String) -> String {
        Hex.encode(services.entropy.bytes(32, "onegini.\(purpose)")).uppercased()
    }
}

extension ApplicationSettings {
    /// What the client of a device of this application may do.
    func clientMetadata(version: String) -> ClientMetadata {
        var metadata = ClientMetadata()
        metadata.clientName = name
        metadata.applicationType = "native"
        metadata.softwareID = identifier
        metadata.softwareVersion = version
        metadata.redirectURIs = redirectURIs
        metadata.grantTypes =
            [GrantType.authorizationCode] + (hasPINAuthentication ? [GrantType.refreshToken] : [])
            + [GrantType.clientCredentials]
        metadata.responseTypes = ["code"]
        metadata.scope =
            ScopeList([ScopeList.openID] + ScopeList(scope).names + ScopeList(defaultScope).names).text
        metadata.defaultScope = ScopeList([ScopeList.openID] + ScopeList(defaultScope).names).text
        metadata.authorizationCodeLifetime = authorizationCodeLifetime
        metadata.accessTokenLifetime = accessTokenLifetime
        metadata.refreshTokenLifetime = refreshTokenLifetime
        metadata.refreshTokenMaxLifetime = min(refreshTokenMaxLifetime, registrationValidity ?? .max)
        // Source: Token Server documentation.
        metadata.refreshTokenGrace = 30
        metadata.issuesRefreshTokens = hasPINAuthentication
        metadata.skipsConsent = skipsConsent
        return metadata
    }
}
