import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct OldAPITests {
    private func old(
        _ api: ServerAPI, _ method: Request.Method, _ path: String, body: String = ""
    ) throws -> JSONValue {
        let answer = api.bench.send(
            method, "/nextauth/api/servers/\(Cast.serverID)" + path, body: Array(body.utf8),
            headers: ["x-apikey": Cast.apiKey])
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(JSONValue.self)
    }

    @Test func `a session is named in the path`() throws {
        let api = try ServerAPI(isHeadless: true)
        let present = try api.get("/sessions/")
        let session = try old(api, .get, "/sessions/\(ServerAPI.nonce)/")
        #expect(
            Set(try #require(session.object).keys) == [
                "loggedin", "canprovoke", "loginqrdata", "userid", "pk",
            ])
        #expect(session["pk"] == present["pk"])
        #expect(try old(api, .get, "/sessions/\(ServerAPI.nonce)?realm=shop")["userid"] == nil)

        let done: JSONValue = ["result": true]
        let path = "/sessions/\(ServerAPI.nonce)"
        #expect(try old(api, .post, path + "/registeruser?userid=grace&realm=shop") == done)
        #expect(try api.get("/sessions/")["userid"] == "grace@shop")
        #expect(try old(api, .get, path + "?realm=shop")["userid"] == "grace")
        #expect(try old(api, .get, "/users/?realm=shop") == ["grace"])
        #expect(try old(api, .get, "/users/grace/?realm=shop").array?.first?["id"] == 1)
        #expect(try old(api, .post, path + "/logout") == done)
        #expect(try old(api, .post, path + "/provokelogin") == done)
        #expect(try old(api, .post, "/accounts/1/provokelogin/abc/") == done)
        #expect(try old(api, .post, "/users/grace/provokelogin/abc/?realm=shop") == done)
        #expect(try api.device.get("/messages").array?.filter { $0["type"] == "LOGIN" }.count == 3)
    }

    @Test func `a code is raw or a picture`() throws {
        let api = try ServerAPI(isHeadless: true)
        let path = "/nextauth/api/servers/\(Cast.serverID)/sessions/n/qr?type="
        let headers: Headers = ["X-Apikey": Cast.apiKey]
        #expect(
            api.bench.get(path + "LOGIN", headers: headers).bytes
                == api.send(.get, "/sessions/qr/login", nonce: "n").bytes)
        for image in ["qr", "nauth"] {
            let answer = api.bench.get(path + "ENROL&name=x&img=" + image, headers: headers)
            #expect(answer.headers["Content-Type"] == "image/png")
        }
        for wrong in ["OTHER", "ENROL", "LOGIN&img=jpg"] {
            #expect(api.bench.get(path + wrong, headers: headers).status == .badRequest)
        }
    }

    @Test func `servers and accounts have the members of then`() throws {
        let api = try ServerAPI(isHeadless: true)
        let made = api.bench.send(
            .post, "/nextauth/api/servers/?servername=Old&owner=3&pinEnabled=false", body: Array("AAAA".utf8),
            headers: ["X-apikey": Cast.apiKey])
        #expect(made.text == #"{"result":true}"#)
        let servers = try api.get("//servers/")["servers"]?.array ?? []
        let server = try #require(servers.first { $0["serverName"] == "Old" })
        #expect(server["owner"] == 3)
        #expect(server["pinTimeout"] == -1)
        #expect(server["logo"] == "AAAA")

        let changed = try old(
            api, .put, "?serverName=New&pingTime=9&serverFlags=a&serverFlags=b", body: "BBBB")
        #expect(
            Set(try #require(changed.object).keys) == [
                "serverid", "serverpk", "serverName", "logo", "pinTimeout", "pinTransTimeout", "pingTime",
                "serverFlags",
            ])
        #expect(changed["serverFlags"] == ["a", "b"])
        #expect(changed["logo"] == "BBBB")
        #expect(try old(api, .get, "") == changed)

        let account = try old(api, .put, "/accounts/1/?blocked=true")
        #expect(account["blocked"] == true)
        #expect(account["serverId"] == 1)
        #expect(account["userid"] == nil)
        #expect(try old(api, .get, "/accounts/1") == account)
    }
}
