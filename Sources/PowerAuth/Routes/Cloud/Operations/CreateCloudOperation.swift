import Essentials
import HTTP

extension PowerAuth {
    /// `POST /v2/operations`: asks a user, or one device, to approve something.
    ///
    /// - Request: `{"template", "userId"?, "registrationId"?, "parameters"?, "language"?, "externalId"?, "flag"?,
    ///   "timestampExpires"?, "proximityCheckEnabled"?, "silent"?}`.
    /// - Response: `200` with the operation.
    /// - Errors: `ERROR_REQUEST`, `ERROR_REGISTRATION_NOT_FOUND`.
    /// - Source: PowerAuth Cloud documentation, operations; «Implement Login in Mobile Apps».
    func createCloudOperation(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        var input = try BackOfficeInput(request)
        var new = NewOperation(template: input.text("template"), applications: user.applications)
        new.user = input.optionalText("userId", 1...255)
        new.activation = input.optionalText("registrationId", 1...37)
        new.parameters = input.optionalTextMap("parameters") ?? [:]
        new.language = input.optionalText("language", 1...35) ?? AcceptLanguage.standard
        new.externalID = input.optionalText("externalId", 1...255)
        new.flag = input.optionalText("flag", 1...255)
        new.expiresAt = input.optionalDate("timestampExpires")
        new.checksProximity = input.optionalBoolean("proximityCheckEnabled")
        new.isSilent = input.optionalBoolean("silent") ?? false
        try input.check()
        guard !user.applications.isEmpty else {
            throw CloudError(
                .request, "No application is available.",
                "The system user \"\(user.name)\" has no applications, and an operation belongs to those of its caller."
            )
        }
        let (operation, now) = try change { turn -> (Operation, Date) in
            do {
                if let id = new.activation { _ = try requireRegistration(id, of: user, in: &turn) }
                return (try createOperation(new, in: &turn), turn.now)
            } catch let refusal as OperationRefusal {
                throw CloudError(refusal)
            }
        }
        return .flat(try operation.cloudMembers(at: now, withOTP: true))
    }
}
