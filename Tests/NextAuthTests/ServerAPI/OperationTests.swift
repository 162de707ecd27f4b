import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

/// Every operation of the published description, by the description itself.
@Suite struct OperationTests {
    @Test func `the description has 55 operations`() {
        #expect(Description.operations.count == 55)
        #expect(Set(Description.operations.map(\.id)).count == 55)
    }

    @Test(arguments: Description.operations)
    func `it answers in the described shape`(_ operation: Description.Operation) throws {
        let answer = try Call(operation, ServerAPI(isHeadless: true)).send()
        #expect(answer.status == .ok, "\(answer.text)")
        guard let schema = operation.schema else {
            #expect(answer.bytes.isEmpty)
            return
        }
        switch schema["type"]?.string {
        case "file": #expect(answer.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        case "string":
            #expect(answer.headers["Content-Type"]?.hasPrefix("text/") == true)
            #expect(!answer.bytes.isEmpty)
        default:
            #expect(answer.headers["Content-Type"] == "application/json")
            #expect(Description.faults(of: try answer.json(JSONValue.self), by: schema) == [])
        }
    }

    @Test(arguments: Description.operations)
    func `it needs a key that is known`(_ operation: Description.Operation) throws {
        let api = try ServerAPI(isHeadless: true)
        var call = try Call(operation, api)
        for (key, message) in [(nil, "The header X-apikey is missing"), ("wrong", "The API key is unknown")] {
            call.key = key
            let refused = call.send()
            #expect(refused.status == .unauthorized)
            #expect(refused.text == ServerAPI.refusal("unauthorized", message))
        }
        #expect(api.bench.explanation?.contains("“wrong”") == true)
    }

    @Test(arguments: Description.operations)
    func `it needs one of its permissions and no other`(_ operation: Description.Operation) throws {
        let api = try ServerAPI(isHeadless: true)
        var call = try Call(operation, api)
        let names = operation.permissions.map { $0.replacing("global ", with: "") }
        #expect(!names.isEmpty)
        let isGlobal = operation.permissions.contains { $0.hasPrefix("global ") }

        let others = Permission.allCases.filter { isGlobal || !names.contains($0.rawValue) }
        for lacking in [[], others] {
            call.key = try api.key(lacking, on: Cast.serverID)
            let refused = call.send()
            #expect(refused.status == .forbidden)
            #expect(refused.text == ServerAPI.refusal("forbidden", "The role lacks a permission"))
        }
        // Its further sessions belong to another server.
        if operation.id == "getHtmlFooter" { call.body = nil }
        for name in names {
            let permission = try #require(Permission(rawValue: name))
            call.key = try api.key([permission], on: isGlobal ? nil : Cast.serverID)
            #expect(call.send().status == .ok, "with \(name)")
        }
    }

    @Test(arguments: Description.operations.filter { !$0.permissions.contains { $0.hasPrefix("global ") } })
    func `a permission on another server is none`(_ operation: Description.Operation) throws {
        let api = try ServerAPI(isHeadless: true)
        var call = try Call(operation, api)
        call.key = try api.key(Permission.allCases, on: Cast.otherServerID)
        // The list of servers shows those that may be seen.
        let status: Status = operation.id == "getServers" ? .ok : .forbidden
        #expect(call.send().status == status)
    }

    @Test(arguments: Description.operations)
    func `a slash at the end makes no difference`(_ operation: Description.Operation) throws {
        var call = try Call(operation, ServerAPI(isHeadless: true))
        call.hasSlash.toggle()
        #expect(call.send().status == .ok)
    }

    @Test(arguments: Description.operations.filter { $0.pathNames.contains("serverid") })
    func `a server's id has several spellings`(_ operation: Description.Operation) throws {
        for spelling in [Cast.serverID.percentEncoded, Cast.serverID.replacing("=", with: "")] {
            var call = try Call(operation, ServerAPI(isHeadless: true))
            call.path["serverid"] = spelling
            #expect(call.send().status == .ok, "\(spelling)")
        }
    }

    @Test(arguments: Description.operations)
    func `what is required has to be there`(_ operation: Description.Operation) throws {
        let api = try ServerAPI(isHeadless: true)
        let good = try Call(operation, api)
        for name in operation.names(in: "query", requiredOnly: true) {
            var call = good
            call.query[name] = nil
            let refused = call.send()
            #expect(refused.status == .badRequest, "without \(name)")
            #expect(refused.text == ServerAPI.refusal("bad_request", "The request is malformed"))
            #expect(api.bench.explanation == "The query lacks the parameter “\(name)”.")
        }
        for _ in operation.names(in: "header", requiredOnly: true) {
            var call = good
            call.nonce = nil
            let refused = call.send()
            #expect(refused.status == .badRequest)
            #expect(refused.text == ServerAPI.refusal("bad_request", "The header X-nonce is missing"))
        }
        for _ in operation.names(in: "body", requiredOnly: true) {
            for body: JSONValue? in [nil, "text"] {
                var call = good
                call.body = body
                #expect(call.send().status == .badRequest)
            }
        }
    }

    /// What the description answers 200 to, whoever the user is.
    private static let forAnyUser = ["getUser", "deleteUserAccounts", "setUserAttributes"]

    @Test(arguments: Description.operations)
    func `what is not there is not found`(_ operation: Description.Operation) throws {
        let api = try ServerAPI(isHeadless: true)
        let good = try Call(operation, api)
        let things = [
            "serverid": "server", "userid": "user", "accountid": "account", "roleid": "role",
            "transactionid": "transaction",
        ]
        for name in operation.pathNames {
            guard let thing = things[name] else { continue }
            for unknown in ["CCCCCCCCCCCCCCCCCCCCCA==", "17"] {
                var call = good
                call.path[name] = unknown
                let answer = call.send()
                if name == "userid", Self.forAnyUser.contains(operation.id) {
                    #expect(answer.status == .ok)
                    continue
                }
                #expect(answer.status == .notFound)
                #expect(answer.text == ServerAPI.refusal("not_found", "No such \(thing)"))
            }
        }
        #expect(api.bench.misshapenExplanations == [])
    }
}
