import Essentials
import PlatformKit
import SQLite

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
        let outcome = try database.write { db -> Result<DeviceRequest, PageFault> in
            let wrong = try wrongUserCodes.count(address, at: now, in: db)
            if wrong >= WrongUserCodeStore.limit { return .failure(.userCodesTooMany(address: address)) }
            guard let found = try deviceRequests.find(userCode: code, in: db) else {
                try wrongUserCodes.note(address, at: now, in: db)
                return .failure(.userCodeUnknown(shown, left: WrongUserCodeStore.limit - wrong - 1))
            }
            return found.fault(at: now).map(Result.failure) ?? .success(found)
        }
        return try outcome.get()
    }

    /// - Parameter approval: nil to send the device away.
    /// - Returns: the client that runs on the device.
    /// - Throws: ``PageFault``.
    @discardableResult
    func decideDevice(
        _ code: String, _ approval: DeviceApproval?, from address: String
    ) throws -> Client? {
        let outcome = try database.write { db -> Result<Client?, PageFault> in
            guard let device = try deviceRequests.find(userCode: code, in: db) else {
                return .failure(.interactionUnknown)
            }
            if let fault = device.fault(at: now) { return .failure(fault) }
            if let approval {
                let grant = makeGrant(device, approval)
                try grants.insert(grant, in: db)
                try deviceRequests.approve(device.digest, grantID: grant.id, in: db)
                if let id = approval.sessionID {
                    try sessions.note(client: device.clientID, issuer: device.issuer, in: id, db)
                }
            } else {
                try deviceRequests.set(.denied, of: device.digest, in: db)
            }
            return .success(try clients.find(device.clientID, in: db))
        }
        return try outcome.get()
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
