import Essentials
import HTTP

/// What the older API writes otherwise.
extension Request {
    /// The same call with the nonce of the path where the present API has it.
    var withNonceOfPath: Request {
        var request = self
        request.headers["X-nonce"] = parameter("nonce")
        return request
    }

    /// The same call with the user id of path or query as it is kept.
    var withUserOfRealm: Request {
        guard let realm = queryItems["realm"], !realm.isEmpty else { return self }
        var request = self
        request.parameters = parameters.map { name, value in
            (name, name == "userid" ? Self.user(value, of: realm) : value)
        }
        let pairs = queryItems.pairs.map { name, value in
            (name: name, value: name == "userid" ? Self.user(value, of: realm) : value)
        }
        request.query = Form.encode(pairs)
        return request
    }

    /// The id of a user in a realm: *assumed*, since the present API has none.
    static func user(_ id: String, of realm: String) -> String { id + "@" + realm }

    /// The user id in the realm of the query; nil for one of another realm.
    func userInRealm(_ id: String) -> String? {
        guard let realm = queryItems["realm"], !realm.isEmpty else { return id }
        return id.hasSuffix("@" + realm) ? String(id.dropLast(realm.count + 1)) : nil
    }
}

extension Response {
    /// How the older API says that something was done, or that it could not be.
    static func result(_ isDone: Bool) throws -> Response {
        try .json(["result": .boolean(isDone)] as JSONValue)
    }
}
