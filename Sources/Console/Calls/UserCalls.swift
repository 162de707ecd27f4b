import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /users/PLATFORM/ID`: one user, as the fixtures have it.
    ///
    /// - Response: `200 {"sub": "ada", "username": "ada@example.com", "claims": {…}}`.
    /// - Errors: 404 when there is no such user, or the platform's users are not shown one by one.
    func showUser(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let (platform, id) = (try userPlatform(world, request), request.parameter("id"))
        return try Self.told {
            guard let entry = try world.users(of: platform).user(id) else { throw UserRefusal.unknown(id) }
            return .user(entry)
        }
    }

    /// `PUT /users/PLATFORM/ID`: makes a user, or puts another in the place of one.
    ///
    /// - Request: the user as the fixtures have it; `sub` may be left out.
    /// - Response: `200`, or `201` for a new one, with the user as it is then.
    /// - Errors: 404 for a platform whose users are not changed one by one, 409 for a user name that is taken, 422 for what is no
    ///   user.
    func replaceUser(_ world: World, _ request: Request) throws -> Response {
        try changeUser(world, request) { .replace($0) }
    }

    /// `PATCH /users/PLATFORM/ID`: changes a user.
    ///
    /// - Request: what changes (RFC 7396): members of the user and of its claims; null takes one away.
    /// - Response: `200` with the user as it is then.
    /// - Errors: as ``replaceUser(_:_:)``; 404 when there is no such user.
    func changeUser(_ world: World, _ request: Request) throws -> Response {
        try changeUser(world, request) { .merge($0) }
    }

    private func changeUser(
        _ world: World, _ request: Request, _ change: (JSONValue) -> UserChange
    ) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONValue.object(of: request)
        let (platform, id) = (try userPlatform(world, request), request.parameter("id"))
        let outcome = try Self.told { try world.users(of: platform).changeUser(id, change(body)) }
        world.services.journal.event(
            outcome.isNew ? "user made" : "user changed", about: id,
            "The user “\(id.shortened)” of \(platform.title) was \(outcome.isNew ? "created" : "changed") by the control API."
        )
        return .user(outcome.entry, status: outcome.isNew ? .created : .ok)
    }

    private func userPlatform(_ world: World, _ request: Request) throws -> any Platform.Type {
        let name = request.parameter("platform")
        guard let card = info.platforms.first(where: { $0.name == name }) else {
            throw noRecord(request.parameter("id"), of: name, in: world)
        }
        return card
    }

    /// How the control API tells the refusals of `body`.
    private static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as UserRefusal {
            switch refusal {
            case .notKept, .unknown: throw ControlError.absent(refusal.explanation)
            case .taken: throw ControlError.refused(refusal.explanation)
            case .invalid: throw ControlError.unprocessable(refusal.explanation)
            }
        }
    }
}

extension World {
    /// - Throws: `UserRefusal`.
    fileprivate func users(of platform: any Platform.Type) throws -> any KeepsUsers {
        guard let users = ask(platform, (any KeepsUsers).self) else {
            throw UserRefusal.notKept(platform: platform.title)
        }
        return users
    }
}

extension JSONValue {
    /// The JSON object that a call brings.
    ///
    /// - Throws: ``ControlError``.
    fileprivate static func object(of request: Request) throws -> JSONValue {
        let bytes = try JSONBody.text(request)
        do {
            let value = try JSONValue(parsing: bytes)
            if value.object != nil { return value }
        } catch let error as DecodingError {
            throw ControlError.bodyMalformed("The body is not JSON: \(error.sentence).")
        }
        throw ControlError.bodyMalformed("The body must be a JSON object.")
    }
}

extension Response {
    fileprivate static func user(_ entry: JSONValue, status: Status = .ok) -> Response {
        Response(status: status, headers: ["Content-Type": "application/json"], body: entry.bytes)
    }
}
