import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The grant `authorization_code`: spends the code and makes its tokens in one transaction, so that it is redeemed once.
    ///
    /// A code that comes again ends what it brought. Source: RFC 6749 §4.1.2, §4.1.3.
    func redeemCode(_ call: ClientCall) throws -> PreparedTokens {
        let text = try call.form.require("code", for: "the grant “authorization_code”")
        let digest = Handle.digest(text)
        let found = try database.read { db in try codes.find(digest, in: db) }
        if let found, found.clientID == call.client.id {
            try require(found.proofKey, of: "authorization code", call)
        }
        let prepared = try world.change { turn in
            guard var code = try codes.find(digest, in: turn.db),
                let grant = try grants.find(code.grantID, in: turn.db)
            else { throw CodeRefusal.unknown }
            turn.concern(code.subjects)
            if code.clientID != call.client.id {
                throw CodeRefusal.foreign(clientID: code.clientID, caller: call.client.id)
            }
            if let spentAt = code.spentAt {
                throw turn.kept(CodeRefusal.reused(spentAt: spentAt, now: call.now)) {
                    try grants.end(.init(grantID: grant.id), .reused, at: call.now, in: $0.db)
                }
            }
            if let refusal = code.refusal(of: call, issuer: grant.issuer) { throw refusal }
            if let end = grant.end { throw CodeRefusal.ended(end) }
            code.spentAt = call.now
            try turn.update(code, .spentAt)
            return try prepare(call, grant, in: turn.db)
        }
        try noteAddress(of: call, redeeming: prepared.grant)
        return prepared
    }
}

extension AuthorizationServer {
    /// The grant `password`, for clients that are registered for it. Source: RFC 6749 §4.3; RFC 9700 §2.4 advises against it.
    func grantByPassword(_ call: ClientCall) throws -> PreparedTokens {
        let purpose = "the grant “password”"
        let name = try call.form.require("username", for: purpose)
        let password = try call.form.require("password", for: purpose)
        let user = try database.read { db in try checked(name, password, in: db) }
        let grant = try ruled(
            Grant(
                id: uuid(for: "grant"), clientID: call.client.id, subject: user.subject,
                scope: try requestedScope(call), issuer: try issuer(call.request), type: GrantType.password,
                authenticatedAt: call.now, amr: ["pwd"], audience: try audience(of: call),
                createdAt: call.now), call)
        return try world.change { turn in
            // Once more: somebody was asked in between.
            guard try checked(name, password, in: turn.db).subject == user.subject else {
                throw IssueRefusal.outdated(clientID: call.client.id)
            }
            try grants.insert(grant, in: turn.db)
            return try prepare(call, grant, in: turn.db)
        }
    }

    private func checked(_ name: String, _ password: String, in db: Connection) throws -> User {
        guard let user = try users.find(username: name, in: db) else {
            throw PasswordRefusal.userUnknown(name)
        }
        guard let expected = user.password else { throw PasswordRefusal.passwordless(name) }
        guard constantTimeEqual(Array(expected.utf8), Array(password.utf8)) else {
            throw PasswordRefusal.passwordWrong(name)
        }
        return user
    }
}

extension AuthorizationServer {
    /// The grant `client_credentials`: a token for the client itself, and nothing else. Source: RFC 6749 §4.4.
    ///
    /// All of a client's tokens for the same scope and audience grow from one grant.
    func grantClient(_ call: ClientCall) throws -> PreparedTokens {
        guard !call.client.isPublic else {
            throw TokenRefusal.publicClient(call.client.id, wanted: "the grant “client_credentials”")
        }
        let audience = try audience(of: call)
        let scope = try requestedScope(call)
        let wanted = try ruled(
            Grant(
                id: "", clientID: call.client.id, subject: nil, scope: scope,
                issuer: try issuer(call.request), type: GrantType.clientCredentials, audience: audience,
                createdAt: call.now), call)
        return try world.change { turn in
            try prepare(call, keptGrant(wanted, in: turn.db), in: turn.db)
        }
    }

    private func keptGrant(_ wanted: Grant, in db: Connection) throws -> Grant {
        var grant = wanted
        if let id = try grants.live(like: wanted, in: db) {
            grant.id = id
        } else {
            grant.id = uuid(for: "grant")
            try grants.insert(grant, in: db)
        }
        return grant
    }
}

extension ServerRecords<Grant> {
    /// The id of a grant of a client for itself that is good for the same.
    fileprivate func live(like grant: Grant, in db: Connection) throws -> String? {
        try db.value(
            String.self,
            """
            SELECT id FROM openid_grant WHERE server = \(server) AND client_id = \(grant.clientID)
                AND sub IS NULL AND type = \(grant.type) AND scope = \(grant.scope.text)
                AND issuer = \(grant.issuer) AND aud = \(JSONValue(grant.audience)) AND ended IS NULL
            """)
    }
}

extension AuthorizationServer {
    /// Longer than this no device is made to wait between two polls, however it behaves.
    private static let longestInterval = 120

    /// The device grant: tokens as soon as the user has approved. Source: RFC 8628 §3.4, §3.5.
    func redeemDeviceCode(_ call: ClientCall) throws -> PreparedTokens {
        let text = try call.form.require("device_code", for: "the grant “\(GrantType.deviceCode)”")
        let digest = Handle.digest(text)
        let approved = try database.read { db in try approvedGrant(digest, call, in: db) }
        let ruling = try approved.map { try finalRuling(on: $0, of: digest, call) }
        return try world.change { turn in
            guard var device = try deviceRequests.find(digest, in: turn.db) else {
                throw DeviceRefusal.unknown
            }
            if let refusal = device.refusal(of: call) { throw refusal }
            guard let id = device.grantID, let found = try grants.find(id, in: turn.db) else {
                throw pending(device, call, turn)
            }
            if let end = found.end { throw DeviceRefusal.ended(end) }
            // Approved a moment ago: the next poll brings the tokens.
            guard let ruling else { throw pending(device, call, turn) }
            let grant = try ruling.applied(to: found)
            if grant != found { try turn.update(grant) }
            device.state = .redeemed
            try turn.update(device)
            return try prepare(call, grant, in: turn.db)
        }
    }

    /// Asks whoever has a say. Their no is final, as the user's is: the device learns it once and stops asking. Where they do not
    /// answer, the next poll asks them again. Source: RFC 8628 §3.5.
    private func finalRuling(on grant: Grant, of digest: [UInt8], _ call: ClientCall) throws -> IssueRuling {
        do {
            return try ruling(on: IssueProposal(client: call.client, grant: grant, call.request))
        } catch let refusal as IssueRefusal where refusal.isDenial {
            try world.change { turn in
                guard var device = try deviceRequests.find(digest, in: turn.db),
                    device.refusal(of: call) == nil
                else { return }
                device.state = .denied
                try turn.update(device)
            }
            throw DeviceRefusal.refused(explanation: refusal.explanation)
        }
    }

    /// What would be redeemed; nil when there is something to refuse.
    private func approvedGrant(
        _ digest: [UInt8], _ call: ClientCall, in db: Connection
    ) throws -> Grant? {
        guard let device = try deviceRequests.find(digest, in: db), device.refusal(of: call) == nil,
            let grant = try device.grantID.flatMap({ try grants.find($0, in: db) }), grant.end == nil
        else { return nil }
        return grant
    }

    /// Nobody has approved yet; remembers the poll, so that the next one can be too fast.
    private func pending(_ device: DeviceRequest, _ call: ClientCall, _ turn: Turn) -> DeviceRefusal {
        var polled = device
        let since = device.polledAt.map { call.now.timeIntervalSince($0) }
        let isTooFast = since.map { $0 < Double(device.interval) } ?? false
        // RFC 8628 §3.5: five seconds more for this and all later requests.
        let interval = isTooFast ? min(device.interval + 5, Self.longestInterval) : device.interval
        (polled.polledAt, polled.interval) = (call.now, interval)
        let refusal: DeviceRefusal =
            if isTooFast, let polledAt = device.polledAt {
                .tooFast(secondsSinceLast: call.now.seconds(since: polledAt), interval: interval)
            } else {
                .pending(
                    userCode: device.userCode, secondsLeft: device.expiresAt.seconds(since: call.now))
            }
        return turn.kept(refusal) { [polled] in try $0.update(polled) }
    }
}

extension DeviceRequest {
    /// Why this device gets nothing and never will; nil while the answer depends on the user or is yes.
    fileprivate func refusal(of call: ClientCall) -> DeviceRefusal? {
        if clientID != call.client.id { return .foreign(clientID: clientID, caller: call.client.id) }
        if state == .redeemed { return .redeemed }
        if state == .denied { return .denied }
        return call.now >= expiresAt ? .expired(at: expiresAt, now: call.now) : nil
    }
}
