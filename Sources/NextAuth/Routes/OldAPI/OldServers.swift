import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `POST /api/nauth`: the vendor's binary device protocol.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 always: the protocol is not public.
    /// - Source: API description 0.0.3.
    func refuseDeviceProtocol(_ request: Request) throws -> Response {
        throw BackEndRefusal.notEmulated(
            "The vendor's device protocol is binary and not public, so its SDK cannot talk to this server. An open one stands at "
                + "\(request.baseURL)/device/v1: a stub with the SDK's class names speaks it.")
    }

    /// `POST /api/servers/`: makes a server.
    ///
    /// - Request: `servername`, `owner` and perhaps `pinEnabled` in the query; the logo in Base64 as body.
    /// - Response: `200 {"result": true}`; the server's id is found by `GET /servers/` of the present API.
    /// - Errors: 400; 401; 403 without global `createserver`.
    /// - Source: API description 0.0.3.
    func createOldServer(_ request: Request) throws -> Response {
        let query = request.queryItems
        var input = try oldInput(request)
        input["serverName"] = .string(try request.requireQuery("servername"))
        guard let owner = Int(try request.requireQuery("owner")) else {
            throw BackEndRefusal.inputInvalid("The parameter “owner” is not a whole number.")
        }
        input["owner"] = .integer(owner)
        if let text = query["pinEnabled"] {
            guard let isEnabled = Bool(text) else {
                throw BackEndRefusal.inputInvalid("The parameter “pinEnabled” is neither true nor false.")
            }
            input["pinTimeout"] = isEnabled ? 0 : -1
            input["pinTransTimeout"] = isEnabled ? 0 : -1
        }
        var present = request
        present.body = JSONValue.object(input).bytes
        _ = try createServer(present)
        return try .result(true)
    }

    /// `GET /api/servers/{server}`: a server's configuration.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 Config`: the members of the present `Server` that the older API knows.
    /// - Errors: 401; 403; 404.
    /// - Source: API description 0.0.3.
    func showOldServer(_ request: Request) throws -> Response {
        try oldConfiguration(showServer(request))
    }

    /// `PUT /api/servers/{server}`: changes a server's configuration.
    ///
    /// - Request: `serverName`, `pinTimeout`, `pinTransTimeout`, `pingTime`, and `serverFlags` as often as there are some, in the
    ///   query; perhaps a logo in Base64 as body.
    /// - Response: `200 Config`.
    /// - Errors: 400; 401; 403; 404.
    /// - Source: API description 0.0.3.
    func updateOldServer(_ request: Request) throws -> Response {
        var input = try oldInput(request)
        let query = request.queryItems
        if let name = query["serverName"] { input["serverName"] = .string(name) }
        for name in ["pinTimeout", "pinTransTimeout", "pingTime"] {
            guard let text = query[name] else { continue }
            guard let number = Int(text) else {
                throw BackEndRefusal.inputInvalid("The parameter “\(name)” is not a whole number.")
            }
            input[name] = .integer(number)
        }
        let flags = query.values(of: "serverFlags")
        if !flags.isEmpty { input["serverFlags"] = JSONValue(flags) }
        var present = request
        present.body = JSONValue.object(input).bytes
        return try oldConfiguration(updateServer(present))
    }

    /// The logo, which is the body.
    private func oldInput(_ request: Request) throws -> [String: JSONValue] {
        request.body.isEmpty ? [:] : ["logo": .string(String(decoding: request.body, as: UTF8.self))]
    }

    private func oldConfiguration(_ response: Response) throws -> Response {
        let known = [
            "serverid", "serverpk", "serverName", "logo", "pinTimeout", "pinTransTimeout", "pingTime",
            "serverFlags",
        ]
        let members = try JSONValue(parsing: response.bytes).object ?? [:]
        return try .json(JSONValue.object(members.filter { known.contains($0.key) }))
    }
}
