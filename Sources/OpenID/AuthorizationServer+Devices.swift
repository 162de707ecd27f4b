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
