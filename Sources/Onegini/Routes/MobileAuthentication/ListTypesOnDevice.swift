import Essentials
import HTTP
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v4/authenticate/user/{user_id}/device/{device_id}/enabled`: what can be asked of a user on one device; in v3
    /// `/user/{user_id}/application/{app_id}/enabled`, on the installations of one application; in v1 `/authenticate/user/{user_id}/enabled`,
    /// on any.
    ///
    /// - Request: API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `200 {"enabled": ["push", …]}`, names of types; empty for an unknown user, device or application.
    /// - Errors: 1000, 4001 (v3); 401 and 403 of the client.
    /// - Source: mobile authentication API v4, v3 and v1, “availability”.
    func listTypesOnDevice(_ request: Request) throws -> Response {
        try availableTypes(request, .v4) { $0.clientID == request.parameter("device") }
    }

    func listTypesOfApplication(_ request: Request) throws -> Response {
        try availableTypes(request, .v3) { $0.application == request.parameter("application") }
    }

    func listTypesV1(_ request: Request) throws -> Response { try availableTypes(request, .v1) { _ in true } }

    private func availableTypes(
        _ request: Request, _ version: PortalVersion, where isMeant: (Device) -> Bool
    ) throws -> Response {
        try portal.answer(request, version) { transactions, _ in
            let names = try database.read { db -> [String] in
                let user = request.parameter("user")
                let meant = try db.devices(of: user).filter(isMeant).map(\.clientID)
                if meant.isEmpty { return [] }
                let enrolled = try db.enrollments(of: user).filter { meant.contains($0.clientID) }
                return transactions.settings.types
                    .filter { transactions.settings.isAvailable($0, to: enrolled) }.map(\.name)
            }
            return .portal(["enabled": JSONValue(names)])
        }
    }

    /// `GET /api/v2/authenticate/user/{user_id}/enabled/{type}`: whether a user can be asked by one type; v1 alike.
    ///
    /// - Request: API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `200 {"enabled": true}`.
    /// - Errors: 1000, 4001; 401 and 403 of the client.
    /// - Source: mobile authentication API v2 and v1.
    func isTypeAvailable(_ request: Request) throws -> Response { try typeAvailability(request, .v2) }

    func isTypeAvailableV1(_ request: Request) throws -> Response { try typeAvailability(request, .v1) }

    private func typeAvailability(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal.answer(request, version) { transactions, _ in
            let isEnabled = try database.read { db in
                let user = request.parameter("user")
                guard let type = transactions.settings.type(request.parameter("type")),
                    try registry.knows(user, in: db)
                else {
                    return false
                }
                return transactions.settings.isAvailable(type, to: try db.enrollments(of: user))
            }
            return .portal(["enabled": .boolean(isEnabled)])
        }
    }
}
