import Crypto
import Essentials
import HTTP
import OpenID
import SQLite

/// The proof that a request comes from a registered device, whoever uses it.
struct DeviceClient: Sendable {
    let client: Client
    let device: Device
}

extension Onegini {
    /// The device that the request's client credentials prove.
    ///
    /// - Throws: 401 `invalid_client`; with `onegini_error` `device_deregistered` and 9002 when the client existed once.
    func requireDevice(_ request: Request) throws -> DeviceClient {
        if let id = request.claimedClientID, let refusal = try refusalOfRemovedDevice(id) { throw refusal }
        let client = try server.requireClient(request)
        let device = try database.read { db in try db.device(client.id) }
        guard let device else {
            throw DeviceCallRefusal.clientNotMobile(clientID: client.id, kind: client.kind)
        }
        return DeviceClient(client: client, device: device)
    }

    private func refusalOfRemovedDevice(_ id: String) throws -> DeviceCallRefusal? {
        try database.read { db in
            guard try server.clients.find(id, in: db) == nil,
                let stone = try db.tombstone(.device, of: id, at: server.now)
            else { return nil }
            return .deviceDeregistered(clientID: id, because: stone.reason)
        }
    }
}

extension Request {
    /// Whom the request says it is from, proved or not. Source: RFC 6749 §2.3.1.
    var claimedClientID: String? {
        let parts = (headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let data = Data(base64Encoded: String(parts[1]))
        else { return form["client_id"] }
        return String(decoding: data.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
}
