import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /v2/operations`: asks a user, or one device, to approve something.
    ///
    /// - Request: `{"template", "userId"?, "registrationId"?, "parameters"?, "language"?, "externalId"?, "flag"?,
    ///   "timestampExpires"?, "proximityCheckEnabled"?, "silent"?}`.
    /// - Response: `200` with the operation.
    /// - Errors: `ERROR_REQUEST`, `ERROR_REGISTRATION_NOT_FOUND`.
    /// - Source: PowerAuth Cloud documentation, operations; “Implement Login in Mobile Apps”.
    func createCloudOperation(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        var new = NewOperation(template: try input.text("template"), applications: user.applications)
        new.user = try input.optionalText("userId", 1...255)
        new.activation = try input.optionalText("registrationId", 1...37)
        new.parameters = try input.optionalTextMap("parameters") ?? [:]
        new.language = try input.optionalText("language", 1...35) ?? AcceptLanguage.standard
        new.externalID = try input.optionalText("externalId", 1...255)
        new.flag = try input.optionalText("flag", 1...255)
        new.expiresAt = try input.optionalDate("timestampExpires")
        new.checksProximity = try input.optionalBoolean("proximityCheckEnabled")
        new.isSilent = try input.optionalBoolean("silent") ?? false
        try input.check()
        guard !user.applications.isEmpty else {
            throw CloudRefusal(
                .request, "No application is available.",
                "The system user “\(user.name)” has no applications, and an operation belongs to those of its caller."
            )
        }
        let (operation, now) = try change { turn -> (Operation, Date) in
            do {
                if let id = new.activation { _ = try requireRegistration(id, of: user, in: turn) }
                return (try operations.create(new, in: turn), turn.now)
            } catch let refusal as OperationRefusal {
                throw CloudRefusal(refusal)
            }
        }
        return .flat(try operation.cloudMembers(at: now, withOTP: true))
    }
}
