import Essentials
import HTTP
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v4/authenticate/user/{user_id}/enabled`: how a user can be asked; v3 alike.
    ///
    /// - Request: API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `200 {"enabled": [{"type", "method", "sms_fallback_allowed"?, "apps_enrolled_for_push"?}]}`; for an unknown
    ///   user an empty list. Items of `apps_enrolled_for_push` are `{app_id, app_name, device_id, device_name, platform}`, in v3
    ///   `{id, name}`, each application once.
    /// - Errors: 1000, 4001 (v3); 401 and 403 of the client.
    /// - Source: mobile authentication API v4 and v3, “availability”.
    func listAvailableMethods(_ request: Request) throws -> Response { try availableMethods(request, .v4) }

    func listAvailableMethodsV3(_ request: Request) throws -> Response { try availableMethods(request, .v3) }

    private func availableMethods(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal.answer(request, version) { transactions, _ in
            let options = try database.read { db in
                try methods(of: request.parameter("user"), version, transactions.settings, in: db)
            }
            return .portal(["enabled": .array(options)])
        }
    }

    private func methods(
        of subject: String, _ version: PortalVersion, _ settings: MobileAuthenticationSettings,
        in db: Connection
    ) throws -> [JSONValue] {
        guard try registry.knows(subject, in: db) else { return [] }
        let enrolled = try db.enrollments(of: subject)
        let apps = try enrolled.filter { $0.pushToken != nil }.map { try app($0, version, in: db) }
        return settings.types.filter { settings.isAvailable($0, to: enrolled) }.map { type in
            var option: [String: JSONValue] = [
                "type": .string(type.name), "method": .string(type.method.rawValue),
            ]
            if type.method.isPush {
                option["sms_fallback_allowed"] = .boolean(type.fallback != nil)
                option["apps_enrolled_for_push"] = .array(version == .v4 ? apps : Self.distinct(apps))
            }
            return .object(option)
        }
    }

    private func app(
        _ enrollment: Enrollment, _ version: PortalVersion, in db: Connection
    ) throws -> JSONValue {
        let device = try db.device(enrollment.clientID)
        let id = device?.application ?? ""
        let name = try db.application(id)?.name ?? id
        guard version == .v4 else { return ["id": .string(id), "name": .string(name)] }
        return [
            "app_id": .string(id), "app_name": .string(name), "device_id": .string(enrollment.clientID),
            "device_name": .string(device?.name ?? ""), "platform": .string(device?.platform.rawValue ?? ""),
        ]
    }

    private static func distinct(_ values: [JSONValue]) -> [JSONValue] {
        var seen: Set<JSONValue> = []
        return values.filter { seen.insert($0).inserted }
    }
}
