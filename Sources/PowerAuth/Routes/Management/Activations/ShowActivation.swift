import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/activation/status`: everything about one activation, with the status that its device alone can read.
    ///
    /// - Request: `{"activationId", "challenge"?}`, 16 bytes in Base64, which devices of 3.0 do not send.
    /// - Response: the members of a listed one and more, such as `encryptedStatusBlob`, and `encryptedStatusBlobNonce` where there was a
    ///   challenge. An id that never was is `REMOVED`, of version 0 and of the user `unknown`, so that nobody learns which ids there are.
    /// - Errors: `ERR0024`.
    func showActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        var exchange: StatusExchange?
        do {
            exchange = try statusExchange(input["challenge"])
        } catch is ProtocolFault {
            try input.refuse("challenge", "16 bytes in Base64")
        }
        try input.check()
        return try shownActivation(id) { [exchange] activation, turn in
            // What devices of protocol 4.0 read is another one, and no part of this answer.
            guard activation?.generation != 4 else { return [:] }
            let blob = try encryptedStatus(activation, exchange, in: turn)
            var members: [String: JSONValue] = ["encryptedStatusBlob": .string(Base64.encode(blob))]
            members["encryptedStatusBlobNonce"] = exchange.map { .string($0.nonce.base64) }
            return members
        }
    }

    /// `POST /rest/v4/activation/status`: the same of an activation of either protocol, but for the status of 3.x, which a server in front
    /// asks for by version 3.
    ///
    /// - Request: `{"activationId", "includeStatusBlob"?}`, true when left out.
    /// - Response: as of version 3 without the encrypted blob, `statusBlob` of an activation with keys of 4.0, 80 bytes in Base64 as the
    ///   device hears them, and while it waits for its device `activationSignatures`.
    /// - Errors: `ERR0024`.
    func showActivation4(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let tellsBlob = try input.optionalBoolean("includeStatusBlob") ?? true
        try input.check()
        return try shownActivation(id) { activation, turn in
            guard let activation else { return [:] }
            var members: [String: JSONValue] = [:]
            if tellsBlob, let holder = try activation.ofFourth(in: turn.db) {
                members["statusBlob"] = try statusBlob4(of: holder, in: turn).map {
                    .string(Base64.encode($0))
                }
            }
            if activation.state == .created {
                members["activationSignatures"] = try codeSignatures(of: activation, in: turn.db)
            }
            return members
        }
    }

    /// - Parameter more: what is told beside what every version tells; of no activation for an id that never was.
    private func shownActivation(
        _ id: String, _ more: (Activation?, Turn) throws -> [String: JSONValue]
    ) throws -> Response {
        try change { turn in
            let activation = try activations.find(id, in: turn)
            let members = try activation.map { try details(of: $0, in: turn) } ?? unknown(id, in: turn.db)
            return .management(members.merging(try more(activation, turn)) { own, _ in own })
        }
    }

    private func details(of activation: Activation, in turn: Turn) throws -> [String: JSONValue] {
        var members = managementMembers(of: activation)
        members["activationOtpValidation"] = .string(
            activation.otp == nil ? "NONE" : activation.commitPhase.rawValue)
        members["commitPhase"] = .string(activation.commitPhase.rawValue)
        members["applicationRoles"] = try Application.find(activation.application, in: turn.db).map {
            JSONValue($0.roles)
        }
        members["devicePublicKeyFingerprint"] = try activation.fingerprint(in: turn.db).map(JSONValue.string)
        if let secrets = try activation.secrets(in: turn.db) {
            members["confirmationPending"] = .boolean(!secrets.isConfirmed)
        }
        if activation.state == .created {
            members.merge(try managementCode(of: activation, in: turn.db)) { own, _ in own }
        }
        return members
    }

    /// In everything but its id the same for every id that never was.
    private func unknown(_ id: String, in db: Connection) throws -> [String: JSONValue] {
        let never = Date(timeIntervalSince1970: 0).managementTime
        return [
            "activationId": .string(id), "activationStatus": .string(Activation.State.removed.rawValue),
            "activationOtpValidation": "NONE",
            "commitPhase": .string(Activation.CommitPhase.onCommit.rawValue),
            "userId": "unknown", "activationName": "unknown", "activationFlags": [], "applicationRoles": [],
            "failedAttempts": 0,
            "maxFailedAttempts": .integer(try world.settings(in: db).maxFailedAttempts),
            "timestampCreated": never, "timestampLastUsed": never, "version": 0,
        ]
    }

    /// `POST /rest/v3/activation/list`: those of a user, newest first.
    ///
    /// - Request: `{"userId", "applicationId"?, "activationStatuses"?, "protocols"?, "pageNumber"?, "pageSize"?}`.
    /// - Response: `userId`, `activations`.
    /// - Errors: `ERR0001`, `ERR0024`.
    func listActivations(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        if input["userId"] == nil { throw ManagementRefusal(.userMissing, "No user ID was set.") }
        let user = try input.text("userId")
        var query = ActivationQuery(user: user)
        query.applications = try input.optionalText("applicationId").map { [$0] }
        query.states = try input.optionalTexts("activationStatuses").flatMap { $0.isEmpty ? nil : $0 }
        query.page = ListPage(
            number: try input.optionalInteger("pageNumber", 0...1_000_000) ?? 0,
            size: try input.optionalInteger("pageSize", 1...1000) ?? 500)
        let protocols = try input.optionalTexts("protocols") ?? ["powerauth"]
        try input.check()
        let isKnown = protocols.isEmpty || protocols.contains("powerauth")
        let wanted = query
        return try change { turn in
            let found = isKnown ? try activations.all(wanted, in: turn) : []
            let shown = found.map { JSONValue.object(managementMembers(of: $0)) }
            return .management(["userId": .string(user), "activations": .array(shown)])
        }
    }

    /// `POST /rest/v3/activation/lookup`: those that fit in every way.
    ///
    /// - Request: `{"userIds", "applicationIds"?, "timestampLastUsedBefore"?, "timestampLastUsedAfter"?, "activationStatus"?,
    ///   "activationFlags"?}`; all flags must be present.
    /// - Response: `activations`.
    /// - Errors: `ERR0024`.
    func lookUpActivations(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let users = try input.optionalTexts("userIds") ?? []
        if users.isEmpty, input.faults.isEmpty { try input.refuse("userIds", "a list of users") }
        var query = ActivationQuery(user: "")
        query.applications = try input.optionalTexts("applicationIds").flatMap { $0.isEmpty ? nil : $0 }
        query.isUsedBefore = try input.optionalTime("timestampLastUsedBefore") ?? .distantFuture
        query.isUsedFrom = try input.optionalTime("timestampLastUsedAfter") ?? .distantPast
        query.states = try input.optionalChoice("activationStatus", Activation.State.self).map {
            [$0.rawValue]
        }
        query.flags = try input.optionalTexts("activationFlags") ?? []
        try input.check()
        let wanted = query
        return try change { turn in
            let found = try users.unique.flatMap { try activations.all(wanted.of($0), in: turn) }
            return .management([
                "activations": .array(found.map { .object(managementMembers(of: $0)) })
            ])
        }
    }

    /// `POST /rest/v3/activation/history`: what happened to one, oldest first.
    ///
    /// - Request: `{"activationId", "timestampFrom"?, "timestampTo"?}`.
    /// - Response: `items` of `id`, `activationId`, `activationStatus`, `eventReason`, `externalUserId`, `activationName`,
    ///   `timestampCreated`, `version`.
    /// - Errors: `ERR0024`.
    func showActivationHistory(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let from = try input.optionalTime("timestampFrom") ?? .distantPast
        let to = try input.optionalTime("timestampTo") ?? .distantFuture
        try input.check()
        return try change { turn in
            let generation = try activations.find(id, in: turn)?.generation ?? 3
            let items = try HistoryEntry.all(of: id, from: from, to: to, in: turn.db).map { numbered in
                let entry = numbered.entry
                var members: [String: JSONValue] = [
                    "id": .integer(numbered.number), "activationId": .string(entry.activation),
                    "activationStatus": .string(entry.state.rawValue),
                    "timestampCreated": entry.at.managementTime, "version": .integer(generation),
                ]
                members["eventReason"] = entry.reason.map(JSONValue.string)
                members["externalUserId"] = entry.externalUser.map(JSONValue.string)
                members["activationName"] = entry.name.map(JSONValue.string)
                return JSONValue.object(members)
            }
            return .management(["items": .array(items)])
        }
    }

    private func managementMembers(of activation: Activation) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "activationId": .string(activation.id), "activationStatus": .string(activation.state.rawValue),
            "userId": .string(activation.user), "applicationId": .string(activation.application),
            "activationFlags": JSONValue(activation.flags), "protocol": "powerauth",
            // It has none before the key exchange.
            "version": .integer(activation.generation ?? 0),
            "failedAttempts": .integer(activation.failedAttempts),
            "maxFailedAttempts": .integer(activation.maxFailedAttempts),
            "timestampCreated": activation.createdAt.managementTime,
            "timestampLastUsed": activation.lastUsedAt.managementTime,
            "timestampLastChange": activation.changedAt.managementTime,
        ]
        members["blockedReason"] = activation.blockedReason.map(JSONValue.string)
        members["activationName"] = activation.name.map(JSONValue.string)
        members["platform"] = activation.platform.map(JSONValue.string)
        members["deviceInfo"] = activation.deviceInfo.map(JSONValue.string)
        members["extras"] = activation.extras.map(JSONValue.string)
        members["externalId"] = activation.externalID.map(JSONValue.string)
        return members
    }
}
