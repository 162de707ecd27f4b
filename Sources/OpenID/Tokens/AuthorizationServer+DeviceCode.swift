import Essentials
import PlatformKit
import SQLite

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
