package import Essentials
import HTTP
package import PlatformKit
import SQLite

// One user at a time, while the program runs.

extension AuthorizationServer {
    /// The user as an entry of the fixtures; nil for one who is not there.
    package func user(_ subject: String) throws -> JSONValue? {
        try database.read { db in try users.find(subject, in: db) }.map { try UserFixture($0).json }
    }

    /// Makes, replaces or changes a user. Sessions, grants and tokens stay; what tokens say of the user is read anew for the next ones.
    ///
    /// - Returns: the entry as it is then, and whether the user is new.
    /// - Throws: ``UserRefusal``.
    package func changeUser(
        _ subject: String, _ change: UserChange
    ) throws -> (entry: JSONValue, isNew: Bool) {
        try world.change { turn in
            let before = try users.find(subject, in: turn.db)
            if case .merge = change, before == nil { throw UserRefusal.unknown(subject) }
            let entry = change.applied(to: try before.map { try UserFixture($0).json })
            let user = try UserFixture(entry, of: subject).user
            do {
                try before == nil ? users.insert(user, in: turn.db) : users.update(user, in: turn.db)
            } catch let error as SQLiteError where error.isUniqueViolation {
                throw UserRefusal.taken("The user name “\(user.username.prefix(120))” is somebody else's.")
            }
            return (try UserFixture(user).json, before == nil)
        }
    }
}

extension UserFixture {
    fileprivate var json: JSONValue {
        get throws { try JSONValue(parsing: Array(JSONEncoder().encode(self))) }
    }

    /// - Throws: ``UserRefusal/invalid(_:)``.
    fileprivate init(_ entry: JSONValue, of subject: String) throws {
        var members = entry.object ?? [:]
        let known = CodingKeys.allCases.map(\.rawValue)
        if let stranger = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw UserRefusal.invalid(
                "There is no member “\(stranger.prefix(60))” in a user, only \(known.joined(separator: ", "))."
            )
        }
        let named = members[CodingKeys.subject.rawValue]
        guard named == nil || named == .string(subject) else {
            throw UserRefusal.invalid("The member “sub” must be left out, or be the id in the path.")
        }
        members[CodingKeys.subject.rawValue] = .string(subject)
        do {
            self = try JSONDecoder().decode(UserFixture.self, from: Data(JSONValue.object(members).bytes))
        } catch let error as DecodingError {
            throw UserRefusal.invalid("The user is not what it must be: \(error.sentence).")
        }
        if let fault = user.fault { throw UserRefusal.invalid("The id of the user: \(fault).") }
    }
}

extension AuthorizationServer {
    /// Lets the device in that shows a code, as a user's app does it.
    ///
    /// - Parameters:
    ///   - typed: with or without dash, in any case.
    ///   - address: numeric, of the caller: five wrong codes a minute are allowed.
    /// - Throws: ``UserCodeRefusal``.
    package func approveDevice(_ typed: String, _ approval: DeviceApproval, from address: String) throws {
        do {
            let device = try device(typed, from: address)
            try decideDevice(device.userCode, approval, from: address)
        } catch let fault as PageFault {
            throw UserCodeRefusal(fault)
        }
    }

    /// The device that shows a code, while it can be decided on; a wrong code is counted.
    ///
    /// - Throws: ``PageFault``.
    func device(_ typed: String, from address: String) throws -> DeviceRequest {
        let code = UserCode.normalized(typed)
        if code.isEmpty { throw PageFault.userCodeMissing }
        let shown = String(typed.prefix(40))
        return try world.change { turn in
            let wrong = try wrongUserCodes.count(address, at: now, in: turn.db)
            if wrong >= WrongUserCode.limit { throw PageFault.userCodesTooMany(address: address) }
            guard let found = try deviceRequests.find(userCode: code, in: turn.db) else {
                throw turn.kept(PageFault.userCodeUnknown(shown, left: WrongUserCode.limit - wrong - 1)) {
                    try wrongUserCodes.note(address, at: $0.now, in: $0.db)
                }
            }
            turn.concern(found.subjects)
            if let fault = found.fault(at: now) { throw fault }
            return found
        }
    }

    /// - Parameter approval: nil to send the device away.
    /// - Returns: the client that runs on the device.
    /// - Throws: ``PageFault``.
    @discardableResult
    func decideDevice(_ code: String, _ approval: DeviceApproval?, from address: String) throws -> Client? {
        try world.change { turn in
            guard var device = try deviceRequests.find(userCode: code, in: turn.db) else {
                throw PageFault.interactionUnknown
            }
            if let fault = device.fault(at: now) { throw fault }
            if let approval {
                let grant = makeGrant(device, approval)
                try grants.insert(grant, in: turn.db)
                (device.state, device.grantID) = (.approved, grant.id)
                if let id = approval.sessionID {
                    try sessions.note(client: device.clientID, issuer: device.issuer, in: id, turn.db)
                }
            } else {
                device.state = .denied
            }
            try turn.update(device)
            return try clients.find(device.clientID, in: turn.db)
        }
    }

    private func makeGrant(_ device: DeviceRequest, _ approval: DeviceApproval) -> Grant {
        var grant = Grant(
            id: uuid(for: "grant"), clientID: device.clientID, subject: approval.subject, scope: device.scope,
            issuer: device.issuer, type: GrantType.deviceCode, sessionID: approval.sessionID,
            authenticatedAt: approval.authenticatedAt, acr: approval.acr, amr: approval.amr,
            audience: device.audience, createdAt: now)
        grant.loginClaims = approval.loginClaims
        return grant
    }
}

extension DeviceRequest {
    /// Why it cannot be decided on.
    func fault(at now: Date) -> PageFault? {
        if state != .pending { return .userCodeDecided(UserCode.shown(userCode), state) }
        return now < expiresAt ? nil : .userCodeExpired(UserCode.shown(userCode))
    }
}

/// A user code that leads to no device, answered as JSON: `invalid_request`, `already_authorized`, `expired_token`, `slow_down`.
package struct UserCodeRefusal: OAuthRefusal {
    let fault: PageFault

    init(_ fault: PageFault) { self.fault = fault }

    package var explanation: String { fault.explanation }
    package var wire: OAuthWire { OAuthWire(fault.status, fault.code, fault.summary) }
}
