import Essentials

extension Operation {
    /// The operation as the Cloud API tells it.
    ///
    /// - Parameter withOTP: whether the one-time password of a proximity check is told.
    /// - Throws: `ProtocolFault` for a seed that makes no one-time passwords.
    func cloudMembers(at now: Date, withOTP: Bool) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "operationId": .string(id), "status": .string(state(at: now).rawValue),
            "template": .string(template), "operationType": .string(type),
            "parameters": .object(parameters.mapValues(JSONValue.string)),
            "additionalData": .object(cloudAdditionalData), "failureCount": .integer(failures),
            "maxFailureCount": .integer(maxFailures), "timestampCreated": createdAt.cloudTime,
            "timestampExpires": expiresAt.cloudTime,
        ]
        members["userId"] = user.map(JSONValue.string)
        members["registrationId"] = activation.map(JSONValue.string)
        members["statusReason"] = stateReason.map(JSONValue.string)
        members["timestampFinalized"] = finalizedAt.map(\.cloudTime)
        members["externalId"] = externalID.map(JSONValue.string)
        members["flag"] = flag.map(JSONValue.string)
        if withOTP { members["proximityOtp"] = try proximityOTP(at: now).map(JSONValue.string) }
        return members
    }
}
