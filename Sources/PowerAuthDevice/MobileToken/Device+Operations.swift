import DeviceKit
package import Essentials

extension Device {
    private static let operations = "/api/auth/token/app/operation/"

    /// `operation/list`: what waits for the person, newest first.
    package func pendingOperations() throws -> [MobileOperation] {
        try Self.list(universalCall(Self.operations + "list", nil))
    }

    /// `operation/detail`.
    package func operation(_ id: String) throws -> MobileOperation {
        try Self.object(universalCall(Self.operations + "detail", ["id": .string(id)]))
    }

    /// `operation/detail/claim`: makes an operation of nobody that of the person.
    package func claimOperation(_ id: String) throws -> MobileOperation {
        try Self.object(universalCall(Self.operations + "detail/claim", ["id": .string(id)]))
    }

    /// `operation/history`: operations in any state; asks for two factors.
    package func operationHistory(with credential: Credential) throws -> [MobileOperation] {
        try Self.list(
            signedCall(Self.operations + "history", uriID: "/operation/history", with: credential),
            hasTime: false)
    }

    /// `operation/authorize`: approves.
    ///
    /// - Parameters:
    ///   - data: the data of the operation as it was shown.
    ///   - mobileTokenData: what the app adds for the back end.
    package func authorizeOperation(
        _ id: String, data: String, with credential: Credential, proximity: ProximityCheck? = nil,
        mobileTokenData: JSONValue? = nil
    ) throws {
        var members: [String: JSONValue] = ["id": .string(id), "data": .string(data)]
        members["proximityCheck"] = proximity?.json(at: now)
        members["mobileTokenData"] = mobileTokenData
        try signedCall(
            Self.operations + "authorize", .object(members), uriID: "/operation/authorize", with: credential)
    }

    /// `operation/cancel`: the person rejects; possession is enough.
    package func rejectOperation(
        _ id: String, reason: String = "UNEXPECTED_OPERATION", mobileTokenData: JSONValue? = nil,
        with credential: Credential = .possession
    ) throws {
        var members: [String: JSONValue] = ["id": .string(id), "reason": .string(reason)]
        members["mobileTokenData"] = mobileTokenData
        try signedCall(
            Self.operations + "cancel", .object(members), uriID: "/operation/cancel", with: credential)
    }

    /// A call with the token that the kit makes for itself when it first needs it.
    func universalCall(_ path: String, _ object: JSONValue?) throws -> JSONValue {
        if tokens[Self.universalToken] == nil { try createToken(Self.universalToken) }
        return try Self.envelope(
            tokenRequest(path, body: style.json(Self.wrapped(object)), token: Self.universalToken))
    }

    private static func list(_ envelope: JSONValue, hasTime: Bool = true) throws -> [MobileOperation] {
        if hasTime { try MobileOperation.checkTime(envelope.text("currentTimestamp"), "currentTimestamp") }
        guard let list = envelope["responseObject"]?.array else {
            throw DeviceError("the list of operations is not an array: \(envelope.text)")
        }
        return try list.map(MobileOperation.init)
    }

    private static func object(_ envelope: JSONValue) throws -> MobileOperation {
        try MobileOperation.checkTime(envelope.text("currentTimestamp"), "currentTimestamp")
        guard let object = envelope["responseObject"] else {
            throw DeviceError("the answer has no operation: \(envelope.text)")
        }
        return try MobileOperation(object)
    }
}
