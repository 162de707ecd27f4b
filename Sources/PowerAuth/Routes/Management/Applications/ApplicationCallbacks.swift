import Essentials
import HTTP
import PlatformKit
import SQLite

/// Callbacks of an application. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/application/callback/create`: one more address.
    ///
    /// - Request: `{"applicationId", "name", "type": "OPERATION_STATUS_CHANGE" or "ACTIVATION_STATUS_CHANGE", "callbackUrl",
    ///   "attributes"?, "authentication"?, "maxAttempts"?, "initialBackoff"?, "retentionPeriod"?}`.
    /// - Response: the callback without its secrets.
    /// - Errors: `ERR0014`, `ERR0015`, `ERR0024`.
    func createApplicationCallback(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let kind = try input.optionalText("type").flatMap(CallbackKind.init(text:))
        if kind == nil {
            try input.refuse(
                "type", "one of " + CallbackKind.allCases.map(\.managementName).joined(separator: ", "))
        }
        for name in ["name", "callbackUrl"] where input[name] == nil { try input.refuse(name, "a text") }
        let settings = try CallbackInput(input, kind: kind)
        try input.check()
        guard let kind else { throw ManagementRefusal(.invalidRequest, "The callback has no type.") }
        try requireURL(settings)
        _ = try database.read { try requireApplication(id, in: $0) }
        return .management(members(of: try makeCallback(settings, kind, of: id)))
    }

    /// `POST /rest/v3/application/callback/update`: changes what is given; a secret that is left out stays.
    ///
    /// - Request: `{"id", "applicationId"?, …}` with the members of the creation but `type`.
    /// - Response: the callback without its secrets.
    /// - Errors: `ERR0014`, `ERR0024`, also for one that is not there.
    func updateApplicationCallback(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("id")
        let found = try database.read { try RegisteredCallback.find(id, in: $0) }
        let settings = try CallbackInput(input, kind: found?.kind)
        try input.check()
        try requireURL(settings)
        return .management(
            members(
                of: try world.change { turn in
                    var callback = try requireCallback(id, in: turn.db)
                    settings.apply(to: &callback)
                    try callback.store(in: turn.db)
                    return callback
                }))
    }

    /// `POST /rest/v3/application/callback/list`: those of an application.
    ///
    /// - Request: `{"applicationId"}`.
    /// - Response: `callbackUrlList`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func listApplicationCallbacks(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        try input.check()
        let all = try database.read { db in
            try RegisteredCallback.all(of: requireApplication(id, in: db).id, in: db)
        }
        return .management(["callbackUrlList": .array(all.map { .object(members(of: $0)) })])
    }

    /// `POST /rest/v3/application/callback/remove`: nobody is told there any more; what was told stays.
    ///
    /// - Request: `{"id"}`.
    /// - Response: `id`, `removed`.
    /// - Errors: `ERR0024`, also for one that is not there.
    func removeApplicationCallback(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("id")
        try input.check()
        try world.change { turn in
            var callback = try requireCallback(id, in: turn.db)
            callback.isEnabled = false
            try callback.store(in: turn.db)
        }
        return .management(["id": .string(id), "removed": true])
    }

    private func requireURL(_ settings: CallbackInput) throws {
        guard settings.hasUsableURL else {
            throw ManagementRefusal(
                .urlInvalid, "The URL is invalid.",
                "The callback URL “\((settings.url ?? "").prefix(80))” is not one of http or https.")
        }
    }

    private func requireCallback(_ id: String, in db: Connection) throws -> RegisteredCallback {
        guard let callback = try RegisteredCallback.find(id, in: db), callback.isEnabled else {
            throw ManagementRefusal(.invalidRequest, "There is no callback “\(id.prefix(60))”.")
        }
        return callback
    }

    private func members(of callback: RegisteredCallback) -> [String: JSONValue] {
        callback.members(type: callback.kind.managementName)
            .merging(["applicationId": .string(callback.application)]) { own, _ in own }
    }
}
