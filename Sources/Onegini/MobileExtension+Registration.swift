import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// Devices that register by the standard instead of by our protocol.
extension MobileExtension {
    /// A client that names a configured application as its `software_id` is an installation of it: it becomes a device.
    ///
    /// Without a challenge there is no proof of the application's signature. Source: the device protocol.
    func admit(_ client: Client, in db: Connection) throws -> Client {
        guard let id = client.metadata.softwareID,
            let application = try db.application(id)
        else { return client }
        let asked = client.metadata.softwareVersion
        guard let version = application.versions.first(where: { $0.name == asked && $0.status == .full })
        else {
            throw SoftwareVersionRefusal(
                application: id, asked: asked,
                known: application.versions.filter { $0.status == .full }.map(\.name))
        }
        let new = registry.newDevice(
            application, version, name: client.metadata.clientName, model: nil, osVersion: nil)
        try db.insert(new.device)
        try db.insert(
            Event(
                .dynamicRegSuccess, clientID: new.client.id, application: application.identifier, nil,
                registry.services))
        return client.installed(as: new.client)
    }

    /// A device that was removed hears so wherever it proves itself. Source: the device protocol.
    func refusal(ofUnknownClient id: String) throws -> (any Error)? {
        try registry.world.database.read { db in
            try db.tombstone(.device, of: id, at: registry.now)
                .map { DeviceCallRefusal.deviceDeregistered(clientID: id, because: $0.reason) }
        }
    }

    func leave(_ client: Client, in db: Connection) throws {
        try registry.removeDevice(
            client.id, because: "The client was removed at its registration_client_uri.", in: db)
    }
}

/// A registration that names an application and none of its versions. Source: RFC 7591 §3.2.2.
struct SoftwareVersionRefusal: OAuthRefusal, Equatable {
    let application: String
    let asked: String?
    let known: [String]

    var wire: OAuthWire {
        OAuthWire(.badRequest, "invalid_client_metadata", "software_version is not acceptable")
    }

    var explanation: String {
        "The software_id is the application \(application), so that the client becomes a device; expected as "
            + "software_version one with the status LOGIN_REGISTRATION: "
            + (known.isEmpty ? "none is configured" : known.joined(separator: ", ")) + ". Found "
            + (asked.map { "“\($0.prefix(40))”." } ?? "none.")
    }
}

extension Client {
    /// With what it said of itself, and with the rights and lifetimes of the application's devices.
    fileprivate func installed(as device: Client) -> Client {
        var metadata = device.metadata
        let own = self.metadata
        metadata.clientName = own.clientName ?? metadata.clientName
        metadata.redirectURIs = own.redirectURIs ?? metadata.redirectURIs
        metadata.tokenEndpointAuthMethod = own.tokenEndpointAuthMethod
        metadata.tokenEndpointAuthSigningAlg = own.tokenEndpointAuthSigningAlg
        metadata.jwks = own.jwks
        metadata.jwksURI = own.jwksURI
        metadata.idTokenSignedResponseAlg = own.idTokenSignedResponseAlg
        metadata.postLogoutRedirectURIs = own.postLogoutRedirectURIs
        return Client(
            id: device.id, secret: secret == nil ? nil : device.secret, kind: device.kind,
            metadata: metadata, registrationDigest: registrationDigest, createdAt: createdAt)
    }
}
