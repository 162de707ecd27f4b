import Crypto
import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `POST /servers/`: makes a virtual server with a key pair of its own.
    ///
    /// - Request: `Server`; `serverName` has to be there, `serverid` and `serverpk` are generated whatever the body says.
    /// - Response: `200 Server`, as JSON: the description's octet-stream is *assumed* to be a slip.
    /// - Errors: 400; 401; 403 without global `createserver`.
    /// - Source: API description 2.2, `createServer`.
    func createServer(_ request: Request) throws -> Response {
        let members = try change { turn in
            try request.requireGlobally(.createserver, in: turn.db)
            let input = try request.json(ServerInput.self)
            guard let name = input.serverName else {
                throw BackEndRefusal.inputInvalid("The body lacks the member “serverName”.")
            }
            var server = try makeServer(name)
            try input.apply(to: &server)
            try turn.insert(server)
            turn.note("server created", about: name, "The server \(server.id) (\(name)) was made.")
            return server.members(AccountFigures(), for: request)
        }
        return try .json(JSONValue.object(members))
    }

    private func makeServer(_ name: String) throws -> Server {
        let key = try makeServerKey()
        return Server(
            id: services.entropy.pathSafeBase64(for: "server"),
            key: try key.pem().split(separator: "\n").map(String.init),
            publicKey: Base64.encode(try key.publicKey.der()),
            secret: services.entropy.token(32, for: "server.secret"), name: name)
    }

    private func makeServerKey() throws -> PrivateKey {
        while true {
            // One number in 2³² is none of the curve's.
            let scalar = services.entropy.bytes(32, "nextauth.server.key")
            if let key = try? PrivateKey(scalar: scalar) { return key }
        }
    }

    /// `PUT /servers/{serverid}/`: changes a server's configuration. Sessions that run keep what they began with.
    ///
    /// - Request: `Server`; what is left out keeps its value, as do `serverid` and `serverpk` in any case.
    /// - Response: `200 Server`. Devices with an account there are told by an event.
    /// - Errors: 400; 401; 403 without `createserver`; 404.
    /// - Source: API description 2.2, `updateServer`.
    func updateServer(_ request: Request) throws -> Response {
        let members = try change { turn in
            var server = try request.requireServer(.createserver, in: turn.db)
            try request.json(ServerInput.self).apply(to: &server)
            try turn.update(server)
            try announcements.tellUpdate(of: server, in: turn)
            return server.members(try Account.figures(of: server.id, in: turn.db), for: request)
        }
        return try .json(JSONValue.object(members))
    }
}
