import Essentials
import HTTP
import PlatformKit

/// Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/operation/create`: asks a user, or one device, to approve something.
    ///
    /// - Request: `{"templateName", "applications", "userId"?, "activationId"?, "activationFlag"?, "timestampExpires"?,
    ///   "externalId"?, "parameters"?, "additionalData"?, "proximityCheckEnabled"?}`.
    /// - Response: the operation.
    /// - Errors: `ERR0009`, `ERR0015`, `ERR0024`, `ERR0033`.
    func createManagedOperation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        var new = NewOperation(
            template: try input.text("templateName"),
            applications: try input.optionalTexts("applications") ?? [])
        new.user = try input.optionalText("userId", 1...255)
        new.activation = try input.optionalText("activationId", 1...37)
        new.flag = try input.optionalText("activationFlag", 1...255)
        new.expiresAt = try input.optionalTime("timestampExpires")
        new.externalID = try input.optionalText("externalId", 1...255)
        new.parameters = try input.optionalTextMap("parameters") ?? [:]
        new.additionalData = try input.optionalObject("additionalData") ?? [:]
        new.checksProximity = try input.optionalBoolean("proximityCheckEnabled")
        try input.check()
        let wanted = new
        return try manage { turn in
            .management(try operations.create(wanted, in: turn).managedMembers(at: turn.now, withOTP: true))
        }
    }

    /// One turn whose refusals are said in the words of this API.
    func manage(_ body: (Turn) throws -> Response) throws -> Response {
        do {
            return try change(body)
        } catch let refusal as OperationRefusal {
            throw ManagementRefusal(refusal)
        }
    }
}
