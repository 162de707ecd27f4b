import Essentials
import HTTP
import OpenID
import SQLite

/// The proof that a request comes from a registered device, whoever uses it.
struct DeviceClient: Sendable {
    let client: Client
    let device: Device
}

/// The proof that a request comes from a user on a registered device.
struct DeviceUser: Sendable {
    let client: Client
    let device: Device
    let token: AccessToken
    let grant: Grant
    /// The profile that the token was issued for.
    let profile: Profile

    /// - Parameter id: the profile that the request names, which must be the token's own.
    func require(profile id: String) throws {
        guard id == profile.id else {
            throw DeviceCallRefusal.profileMismatch(named: id, token: profile.id)
        }
    }
}

/// Who calls: the device behind client credentials, the user behind an access token.
struct DeviceAuthentication: Sendable {
    let server: AuthorizationServer

    init(_ server: AuthorizationServer) { self.server = server }

    /// The device that the request's client credentials prove.
    ///
    /// - Throws: 401 `invalid_client`; with `onegini_error` `device_deregistered` and 9002 when the client existed once.
    func requireDevice(_ request: Request) throws -> DeviceClient {
        if let id = request.claimedClientID, let refusal = try refusalOfRemovedDevice(id) { throw refusal }
        let client = try server.requireClient(request)
        let device = try server.database.read { db in try db.device(client.id) }
        guard let device else {
            throw DeviceCallRefusal.clientNotMobile(clientID: client.id, kind: client.kind)
        }
        return DeviceClient(client: client, device: device)
    }

    private func refusalOfRemovedDevice(_ id: String) throws -> DeviceCallRefusal? {
        try server.database.read { db in
            guard try server.clients.find(id, in: db) == nil,
                let stone = try db.tombstone(.device, of: id, at: server.now)
            else { return nil }
            return .deviceDeregistered(clientID: id, because: stone.reason)
        }
    }
}

// MARK: - Users

extension DeviceAuthentication {
    /// The user and device behind the request's access token.
    ///
    /// - Throws: the first three refusals of the device protocol: `invalid_token` 9010, `invalid_client` 9002 for a device that is
    ///   gone, `user_deregistered` 9003 for a profile that is gone. `stateless_token` 9033 for a user without a profile.
    func requireUser(_ request: Request) throws -> DeviceUser {
        guard let text = request.bearerToken else {
            throw DeviceCallRefusal.tokenInvalid(request.bearerFault)
        }
        guard let token = try server.accessToken(text) else {
            throw DeviceCallRefusal.tokenInvalid(
                "No access token of this server has this text; it may be cut off, a refresh token, or of another world."
            )
        }
        guard token.proofKey == nil else {
            throw DeviceCallRefusal.tokenInvalid(
                "The access token is bound to a key (DPoP), but was sent as a bearer token.")
        }
        return try server.database.read { db in try deviceUser(behind: token, in: db) }
    }

    private func deviceUser(behind token: AccessToken, in db: Connection) throws -> DeviceUser {
        let client = try server.clients.find(token.clientID, in: db)
        guard let client, let device = try db.device(token.clientID) else {
            throw try refusalOfToken(token, ofNoDevice: client, in: db)
        }
        guard let grant = try server.grants.find(token.grantID, in: db), let subject = grant.subject else {
            throw DeviceCallRefusal.tokenInvalid(
                "The access token was issued to the device alone, for no user.")
        }
        if let end = token.end, end.reason == .userRemoved || end.reason == .locked, let id = grant.context {
            if try db.profile(id, on: client.id) == nil {
                throw try userDeregistered(id, on: client.id, in: db)
            }
        }
        guard token.isAlive(at: server.now) else {
            throw DeviceCallRefusal.tokenInvalid(token.fate(at: server.now))
        }
        if try server.isWornOut(token, in: db) {
            throw DeviceCallRefusal.tokenInvalid(
                "The access token was used \(token.uses.counted("time")), as often as the usage limit of its scope allows."
            )
        }
        guard grant.type != StatelessGrant.type else {
            throw DeviceCallRefusal.tokenStateless(subject: subject)
        }
        guard let id = grant.context else {
            throw DeviceCallRefusal.tokenInvalid(
                "The access token was not issued for a profile on the device.")
        }
        guard let profile = try db.profile(id, on: client.id), profile.subject == subject else {
            throw try userDeregistered(id, on: client.id, in: db)
        }
        return DeviceUser(client: client, device: device, token: token, grant: grant, profile: profile)
    }

    private func refusalOfToken(
        _ token: AccessToken, ofNoDevice client: Client?, in db: Connection
    ) throws -> DeviceCallRefusal {
        if let client { return .tokenForeign(clientID: client.id, kind: client.kind) }
        let stone = try db.tombstone(.device, of: token.clientID, at: server.now)
        return .deviceDeregistered(clientID: token.clientID, because: stone?.reason)
    }

    private func userDeregistered(
        _ profileID: String, on clientID: String, in db: Connection
    ) throws -> DeviceCallRefusal {
        let stone = try db.tombstone(.profile, of: clientID, profile: profileID, at: server.now)
        return .userDeregistered(profileID: profileID, because: stone?.reason)
    }
}

extension AccessToken {
    /// Why it is not good any more: a sentence.
    fileprivate func fate(at now: Date) -> String {
        let owner = "The access token of “\(subject ?? clientID)”"
        if let end { return "\(owner) was \(end.reason.words) \(now.seconds(since: end.at)) s ago." }
        return "\(owner) expired \(now.seconds(since: expiresAt)) s ago; it was valid for "
            + "\(expiresAt.seconds(since: issuedAt)) s. Log in again."
    }
}

extension Request {
    /// The text behind `Authorization: Bearer`; nil without one.
    fileprivate var bearerToken: String? {
        let parts = (headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].asciiLowercased == "bearer" else { return nil }
        return String(parts[1])
    }

    fileprivate var bearerFault: String {
        let scheme = headers["Authorization"]?.prefix { $0 != " " } ?? ""
        return "Expected an access token as “Authorization: Bearer …”, found "
            + (scheme.isEmpty ? "no such header field." : "the scheme “\(scheme.prefix(20))”.")
    }

    /// Whether the request carries an access token, or tries to.
    var isBearer: Bool { headers["Authorization"]?.asciiLowercased.hasPrefix("bearer") ?? false }

    /// Whom the request says it is from, proved or not. Source: RFC 6749 §2.3.1.
    var claimedClientID: String? {
        let parts = (headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].asciiLowercased == "basic",
            let data = Data(base64Encoded: String(parts[1]))
        else { return form["client_id"] }
        return String(decoding: data.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
}
