import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /audit/log`, also below `/v2`: how checks of a user's registrations came out, oldest first:
    /// authentication codes wherever they were verified, MAC tokens that back ends had verified. Nothing else is known to be in it.
    ///
    /// - Request: query `userId`; `timestampFrom` (30 days ago when left out) and `timestampTo` (now) in milliseconds.
    /// - Response: `200 {"items": [{"activationId", "eventType", "eventData", "timestamp"}]}`.
    /// - Errors: `ERROR_REQUEST`, `ERROR_AUDIT` for times that are none.
    /// - Source: PowerAuth Cloud documentation, audit.
    func showAuditLog(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let subject = try request.requireQuery("userId")
        let now = services.clock.now()
        let from = try time(request, "timestampFrom") ?? now - 30 * 86_400
        let to = try time(request, "timestampTo") ?? now
        let records = try database.read { try AuditRecord.all(of: subject, from: from, to: to, in: $0) }
        // What the management API tells of the codes that it verified, and of signatures by keys of devices.
        let others = [
            "signature", "signatureVersion", "dataBase64", "version", "signatureAlgorithm", "signatureFormat",
        ]
        let shown = records.filter { user.applications.contains($0.application) && !$0.isOfDeviceKey }
        let items = shown.map { record -> JSONValue in
            let members = record.data.object.map { $0.filter { !others.contains($0.key) } }
            return [
                "activationId": .string(record.activation), "eventType": .string(record.type),
                "eventData": members.map(JSONValue.object) ?? record.data,
                "timestamp": record.at.cloudTime,
            ]
        }
        return .flat(["items": .array(items)])
    }

    private func time(_ request: Request, _ name: String) throws -> Date? {
        guard let text = request.queryItems[name] else { return nil }
        guard let number = Int(text), 0...253_402_300_799_999 ~= number else {
            throw CloudRefusal(
                .audit, "The time \(name) is not valid.",
                "The time \(name) must be milliseconds since 1970, found “\(text.prefix(60))”.")
        }
        return Date(timeIntervalSince1970: Double(number) / 1000)
    }
}
