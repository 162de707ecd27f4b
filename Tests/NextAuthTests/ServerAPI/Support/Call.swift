import Essentials
import HTTP
import TestKit

@testable import NextAuth

/// A good call of an operation, in which a test changes one thing.
struct Call {
    let operation: Description.Operation
    var path: [String: String]
    var query: [String: String]
    var body: JSONValue?
    var nonce: String? = ServerAPI.nonce
    var key: String? = Cast.apiKey
    var hasSlash: Bool
    private let api: ServerAPI

    /// Brings about what the operation needs, and says what to send.
    init(_ operation: Description.Operation, _ api: ServerAPI) throws {
        self.operation = operation
        self.api = api
        path = [
            "serverid": Cast.serverID, "userid": "ada", "accountid": "1", "attributekey": "color",
            "roleid": Cast.role, "transactionid": "",
        ]
        hasSlash = operation.path.hasSuffix("/")
        query = operation.names(in: "query").reduce(into: [:]) { $0[$1] = Self.queries[$1] }
        body = operation.names(in: "body").first.flatMap { Self.bodies[$0] }
        switch operation.id {
        case "getUserRole": _ = api.send(.post, "/users/ada/role/")
        case "provokeLogin": try api.backEnd.logOut(ServerAPI.nonce)
        case "getTransactionResult":
            path["transactionid"] = try api.backEnd.transaction(ServerAPI.nonce, 1).id
        default: break
        }
    }

    private static let queries = [
        "description": "Back end", "limit": "5", "marker": "0", "name": "ada@phone", "userid": "ada",
        "blocked": "false", "img": "png", "s": "200",
    ]

    private static let bodies: [String: JSONValue] = [
        "attributes": ["color": "blue"], "permissions": ["users", "sessions"],
        "createServerBody": ["serverName": "New"], "server": ["serverName": "Changed"],
        "userContext": ["announceinfo": ["ip": "192.0.2.1"]],
        "HtmlFooterBody": ["sessions": [["serverid": .string(Cast.otherServerID), "sessionid": "other"]]],
        "msg": ["amount": "12 EUR", "benificiary": "Bob", "description": "Lunch"],
    ]

    func send() -> Response {
        var target = operation.path.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? path[String(segment.dropFirst().dropLast())] ?? "" : String(segment)
        }.joined(separator: "/")
        if hasSlash { target += "/" }
        if !query.isEmpty {
            target +=
                "?" + Form.encode(query.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        }
        return api.send(operation.method, "//" + target, body: body, nonce: nonce, key: key)
    }
}
