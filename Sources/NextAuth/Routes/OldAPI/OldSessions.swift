import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /api/servers/{server}/sessions/{nonce}/`: whether somebody is logged in on a session.
    ///
    /// - Request: perhaps `realm` in the query: a user of another one is not named.
    /// - Response: `200 {"loggedin", "canprovoke", "loginqrdata"}`, and `userid`, `pk` of who is logged in.
    /// - Errors: 401; 403; 404 for the server.
    /// - Source: API description 0.0.3.
    func showOldSession(_ request: Request) throws -> Response {
        var members = try JSONValue(parsing: showSession(request.withNonceOfPath).bytes).object ?? [:]
        members["hsid"] = nil
        members["accountid"] = nil
        members["userid"] = members["userid"]?.string.flatMap(request.userInRealm).map(JSONValue.string)
        return try .json(JSONValue.object(members))
    }

    /// `POST /api/servers/{server}/sessions/{nonce}/logout`: ends the login of a session.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"result": true}`.
    /// - Errors: 401; 403; 404 for the server.
    /// - Source: API description 0.0.3.
    func logOutOldSession(_ request: Request) throws -> Response {
        _ = try logOutSession(request.withNonceOfPath)
        return try .result(true)
    }

    /// `POST /api/servers/{server}/sessions/{nonce}/provokelogin`: pushes a login to who was logged in last.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"result": true}`.
    /// - Errors: 401; 403, also where no push is possible; 404 for the server.
    /// - Source: API description 0.0.3.
    func provokeOldLogin(_ request: Request) throws -> Response {
        _ = try provokeLogin(request.withNonceOfPath)
        return try .result(true)
    }

    /// `POST /api/servers/{server}/accounts/{accountid}/provokelogin/{nonce}/`: pushes a login to one account.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"result": true}`.
    /// - Errors: 401; 403; 404.
    /// - Source: API description 0.0.3.
    func provokeOldLoginOfAccount(_ request: Request) throws -> Response {
        _ = try provokeLoginOfAccount(request.withNonceOfPath)
        return try .result(true)
    }

    /// `POST /api/servers/{server}/users/{userid}/provokelogin/{nonce}/`: pushes a login to all accounts of a user.
    ///
    /// - Request: perhaps `realm` in the query.
    /// - Response: `200 {"result": true}`.
    /// - Errors: 401; 403; 404.
    /// - Source: API description 0.0.3.
    func provokeOldLoginOfUser(_ request: Request) throws -> Response {
        _ = try provokeLoginOfUser(request.withNonceOfPath.withUserOfRealm)
        return try .result(true)
    }

    /// `POST /api/servers/{server}/sessions/{nonce}/registeruser`: gives the account that is logged in to a user.
    ///
    /// - Request: `userid`, and perhaps `realm`, in the query.
    /// - Response: `200 {"result": true}`.
    /// - Errors: 400; 401; 403; 404 for the server.
    /// - Source: API description 0.0.3.
    func registerOldUser(_ request: Request) throws -> Response {
        _ = try registerUser(request.withNonceOfPath.withUserOfRealm)
        return try .result(true)
    }

    /// `GET /api/servers/{server}/sessions/{nonce}/qr`: the data of a code.
    ///
    /// - Request: `type` of `ENROL` or `LOGIN`; `img` of `nauth` or `qr` for a PNG; for `ENROL` also `name`, `userid`, `realm`.
    /// - Response: `200`: the code's bytes, or a PNG. Both kinds of image are QR codes here.
    /// - Errors: 400; 401; 403; 404 for the server.
    /// - Source: API description 0.0.3.
    func showOldCode(_ request: Request) throws -> Response {
        var present = request.withNonceOfPath.withUserOfRealm
        let (type, image) = (try request.requireQuery("type"), request.queryItems["img"])
        guard ["ENROL", "LOGIN"].contains(type), image.map({ ["nauth", "qr"].contains($0) }) ?? true else {
            throw BackEndRefusal.inputInvalid(
                "The parameter “type” is ENROL or LOGIN, and “img” is nauth, qr or left out.")
        }
        let pairs = present.queryItems.pairs.map { name, value in
            (name: name, value: name == "img" ? "png" : value)
        }
        present.query = Form.encode(pairs)
        return try type == "ENROL" ? showEnrolmentCode(present) : showLoginCode(present)
    }
}
