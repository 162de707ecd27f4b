import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET …/attributes/`, `…/privilegedattributes/`: all attributes of the server, of a user or of all servers.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, `text/plain`: a JSON object. The description says text; that JSON is in it is *assumed*.
    /// - Errors: 401; 403 without `servers` (server), global `servers` (global, privileged), `sessions` or `users` (user); 404.
    /// - Source: API description 2.2, `getGlobalAttributes`, `getServerAttributes`, `getServerPrivilegedAttributes`,
    ///   `getUserAttributes`.
    func showAttributes(_ level: AttributeLevel, _ request: Request) throws -> Response {
        let attributes = try look { db, _ in try place(level, .read, request, in: db).attributes }
        return .text(JSONValue.object(attributes).text)
    }

    /// `POST …/attributes/`: replaces all attributes; a user who is not there is made.
    ///
    /// - Request: a JSON object.
    /// - Response: `200`, empty.
    /// - Errors: 400; 401; 403 as for GET, for a user without `users`, and for a user id that is not allowed; 404 for the server.
    /// - Source: API description 2.2, `setGlobalAttributes` and so on.
    func replaceAttributes(_ level: AttributeLevel, _ request: Request) throws -> Response {
        try change { turn in
            var place = try place(level, .make(turn.now), request, in: turn.db)
            place.attributes = try attributes(of: request)
            try keep(place, in: turn.db)
        }
        return .done
    }

    /// `PUT …/attributes/`: adds attributes, and replaces those of the same name.
    ///
    /// - Request: a JSON object.
    /// - Response: `200`, empty.
    /// - Errors: 400; 401; 403 as for POST; 404 for server or user.
    /// - Source: API description 2.2, `updateGlobalAttributes` and so on.
    func mergeAttributes(_ level: AttributeLevel, _ request: Request) throws -> Response {
        try change { turn in
            var place = try place(level, .change, request, in: turn.db)
            place.attributes.merge(try attributes(of: request)) { _, new in new }
            try keep(place, in: turn.db)
        }
        return .done
    }

    /// `DELETE …/attributes/`: removes all attributes.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, empty.
    /// - Errors: 401; 403 as for POST; 404 for server or user.
    /// - Source: API description 2.2, `deleteGlobalAttributes` and so on.
    func removeAttributes(_ level: AttributeLevel, _ request: Request) throws -> Response {
        try change { turn in
            var place = try place(level, .change, request, in: turn.db)
            place.attributes = [:]
            try keep(place, in: turn.db)
        }
        return .done
    }

    /// `DELETE …/attributes/{attributekey}`: removes one attribute.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, empty, also when there was none of that name: the description has no other answer for it.
    /// - Errors: 401; 403 as for POST; 404 for server or user.
    /// - Source: API description 2.2, `deleteGlobalAttribute` and so on.
    func removeAttribute(_ level: AttributeLevel, _ request: Request) throws -> Response {
        try change { turn in
            var place = try place(level, .change, request, in: turn.db)
            place.attributes[request.parameter("attributekey")] = nil
            try keep(place, in: turn.db)
        }
        return .done
    }

    private func attributes(of request: Request) throws -> [String: JSONValue] {
        guard let attributes = try request.json(JSONValue.self).object else {
            throw BackEndRefusal.inputInvalid("The body is JSON and no object of attributes.")
        }
        return attributes
    }
}

// MARK: - Where they are kept

extension NextAuth {
    private enum AttributeUse {
        case read, change
        /// The user is made where there is none.
        case make(Date)

        var isRead: Bool { if case .read = self { true } else { false } }
    }

    private enum AttributePlace {
        case global([String: JSONValue])
        case server(Server)
        case privileged(Server)
        case user(User)

        var attributes: [String: JSONValue] {
            get {
                switch self {
                case .global(let attributes): attributes
                case .server(let server): server.attributes
                case .privileged(let server): server.privilegedAttributes
                case .user(let user): user.attributes
                }
            }
            set {
                switch self {
                case .global: self = .global(newValue)
                case .server(var server):
                    server.attributes = newValue
                    self = .server(server)
                case .privileged(var server):
                    server.privilegedAttributes = newValue
                    self = .privileged(server)
                case .user(var user):
                    user.attributes = newValue
                    self = .user(user)
                }
            }
        }
    }

    /// What the path means, for a caller who may use it so.
    private func place(
        _ level: AttributeLevel, _ use: AttributeUse, _ request: Request, in db: Connection
    ) throws -> AttributePlace {
        switch level {
        case .global:
            try request.requireGlobally(.servers, in: db)
            return .global(try Server.globalAttributes.value(in: db) ?? [:])
        case .server: return .server(try request.requireServer(.servers, in: db))
        case .privileged:
            try request.requireGlobally(.servers, in: db)
            return .privileged(try Server.require(request.parameter("serverid"), in: db))
        case .user:
            let server = try request.requireServer(use.isRead ? [.sessions, .users] : [.users], in: db)
            guard case .make(let now) = use else {
                return .user(try request.requireUser(of: server, in: db))
            }
            let id = request.parameter("userid")
            guard User.isID(id) else { throw BackEndRefusal.userIDForbidden(id) }
            return .user(try User.findOrMake(id, of: server.id, at: now, in: db))
        }
    }

    private func keep(_ place: AttributePlace, in db: Connection) throws {
        switch place {
        case .global(let attributes): try Server.globalAttributes.set(attributes, in: db)
        case .server(let server), .privileged(let server): try db.update(server)
        case .user(let user): try db.update(user)
        }
    }
}
