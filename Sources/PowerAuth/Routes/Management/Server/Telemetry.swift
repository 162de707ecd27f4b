import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /rest/v3/telemetry/report`: how many users were active. Active is who used a registration with keys.
    ///
    /// - Request: `{"name": "CURRENT_MAU" or "USERS_IN_PAST_DAYS", "parameters": {"application", "days"?}}`, 1 to 365 days.
    /// - Response: `name`, `reportData` of `application`, `days`, `users`.
    /// - Errors: `ERROR_TELEMETRY` for a report or parameters that it does not know; `ERR0024`.
    /// - Source: documentation of the PowerAuth Server, “Telemetry API”.
    func reportTelemetry(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let name = try input.text("name")
        let parameters = try input.optionalObject("parameters") ?? [:]
        try input.check()
        let days: Int
        switch name {
        case "CURRENT_MAU": days = 30
        case "USERS_IN_PAST_DAYS":
            // Reports of the real server take numbers as texts as well.
            let told = parameters["days"]?.integer ?? parameters["days"]?.string.flatMap { Int($0) }
            guard let told, 1...365 ~= told else {
                throw TelemetryRefusal("The parameter days has to be a number from 1 to 365.")
            }
            days = told
        default:
            throw TelemetryRefusal(
                "There is no report “\(name.prefix(60))”, only CURRENT_MAU and USERS_IN_PAST_DAYS.")
        }
        guard let application = parameters["application"]?.string else {
            throw TelemetryRefusal("The parameter application is missing.")
        }
        let since = services.clock.now().addingTimeInterval(-Double(days) * 86_400)
        let users = try database.read { db in
            try db.value(
                Int.self,
                """
                SELECT COUNT(DISTINCT user) FROM powerauth_activation
                WHERE application = \(application) AND last_used_at >= \(since) AND counter_data IS NOT NULL
                """) ?? 0
        }
        return .management([
            "name": .string(name),
            "reportData": [
                "application": .string(application), "days": .integer(days), "users": .integer(users),
            ],
        ])
    }

    /// `POST /fido2/…`: passkeys of the server.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: documentation of the PowerAuth Server, “FIDO2 API”.
    func refuseManagedPasskeys(_ request: Request) throws -> Response { try refusePasskeys(request) }
}

private struct TelemetryRefusal: PowerAuthRefusal {
    let explanation: String

    init(_ explanation: String) { self.explanation = explanation }

    var wire: WireError { WireError(.badRequest, "ERROR_TELEMETRY", explanation) }
}
