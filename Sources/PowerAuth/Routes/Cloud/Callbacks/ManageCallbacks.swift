import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /v2/admin/applications/{appId}/callbacks`: the addresses that are told of changes.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"callbacks": […]}`.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: *assumed* after the creation.
    func listCallbacks(_ request: Request) throws -> Response {
        let application = try requireCallbackApplication(request)
        let all = try database.read { try RegisteredCallback.all(of: application, in: $0) }
        return .flat(["callbacks": .array(all.map { .object(cloudMembers(of: $0)) })])
    }

    /// `POST /v2/admin/applications/{appId}/callbacks`: one more address.
    ///
    /// - Request: `{"name", "type": "OPERATION_STATUS_CHANGE" or "REGISTRATION_STATUS_CHANGE", "callbackUrl", "attributes"?,
    ///   "authentication"?: {"httpBasic"?, "oauth2"?}, "maxAttempts"?, "initialBackoff"?, "retentionPeriod"?}`.
    /// - Response: `200` with all of it but the secrets, and `id`.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: PowerAuth Cloud documentation, callbacks; published load tests. Members besides the first three are *assumed* after
    ///   the management API.
    func createCallback(_ request: Request) throws -> Response {
        let application = try requireCallbackApplication(request)
        let input = try Members(request)
        let kind = try input.optionalText("type").flatMap(CallbackKind.init(text:))
        if kind == nil {
            try input.refuse(
                "type", "one of " + CallbackKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        for name in ["name", "callbackUrl"] where input[name] == nil { try input.refuse(name, "a text") }
        let settings = try CallbackInput(input, kind: kind)
        try requireURL(settings, input)
        try input.check()
        guard let kind else { throw CloudRefusal(.request, "The callback has no type.") }
        let callback = try makeCallback(settings, kind, of: application)
        return .flat(cloudMembers(of: callback))
    }

    /// `GET /v2/admin/applications/{appId}/callbacks/{id}`: one of them.
    ///
    /// - Request: nothing.
    /// - Response: `200` as above.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: *assumed*.
    func showCallback(_ request: Request) throws -> Response {
        let application = try requireCallbackApplication(request)
        return .flat(
            cloudMembers(
                of: try database.read { try requireCallback(request, of: application, in: $0) }))
    }

    /// `PUT /v2/admin/applications/{appId}/callbacks/{id}`: changes what is given; a secret that is left out stays.
    ///
    /// - Request: the members of the creation but `type`, all optional.
    /// - Response: `200` as above.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: *assumed* after the management API.
    func updateCallback(_ request: Request) throws -> Response {
        let application = try requireCallbackApplication(request)
        let input = try Members(request)
        let found = try database.read { try requireCallback(request, of: application, in: $0) }
        let settings = try CallbackInput(input, kind: found.kind)
        try requireURL(settings, input)
        try input.check()
        return .flat(
            cloudMembers(
                of: try world.change { turn in
                    var callback = try requireCallback(request, of: application, in: turn.db)
                    settings.apply(to: &callback)
                    try callback.store(in: turn.db)
                    return callback
                }))
    }

    /// `DELETE /v2/admin/applications/{appId}/callbacks/{id}`: nobody is told there any more; what was told stays.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: *assumed*.
    func removeCallback(_ request: Request) throws -> Response {
        let application = try requireCallbackApplication(request)
        try world.change { turn in
            var callback = try requireCallback(request, of: application, in: turn.db)
            callback.isEnabled = false
            try callback.store(in: turn.db)
        }
        return .cloudOK
    }

    /// A callback of these settings, stored.
    func makeCallback(
        _ settings: CallbackInput, _ kind: CallbackKind, of application: String
    ) throws -> RegisteredCallback {
        var callback = RegisteredCallback(
            id: services.entropy.uuid(for: "powerauth.callback"), application: application,
            name: settings.name ?? "", kind: kind, url: settings.url ?? "")
        settings.apply(to: &callback)
        let made = callback
        try world.change { try $0.insert(made) }
        return made
    }

    /// An administrator may, and who is assigned to the application: published load tests do so with such a user.
    private func requireCallbackApplication(_ request: Request) throws -> String {
        let id = request.parameter("application")
        let user = try requireBackOffice(request, anyOf: [.admin, .user])
        return try database.read { db in
            if user.roles.contains(.admin) { return try requireAnyApplication(id, in: db).id }
            return try requireApplication(id, of: user, in: db).id
        }
    }

    private func requireCallback(
        _ request: Request, of application: String, in db: Connection
    ) throws -> RegisteredCallback {
        let id = request.parameter("callback")
        guard let callback = try RegisteredCallback.find(id, in: db), callback.isEnabled,
            callback.application == application
        else {
            throw CloudRefusal(
                .request, "The application “\(application)” has no callback “\(id.prefix(60))”.")
        }
        return callback
    }

    private func requireURL(_ settings: CallbackInput, _ input: Members) throws {
        if !settings.hasUsableURL { try input.refuse("callbackUrl", "a URL of http or https") }
    }

    private func cloudMembers(of callback: RegisteredCallback) -> [String: JSONValue] {
        callback.members(type: callback.kind.rawValue)
    }
}
