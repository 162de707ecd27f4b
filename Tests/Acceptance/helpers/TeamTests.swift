// Tests of a team, with the helper for Swift: XCTest and Swift Testing.
import Foundation
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func ask(_ url: String, _ body: [String: String]) async throws -> (status: Int, members: [String: Any]) {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = "POST"
    request.httpBody = try JSONSerialization.data(withJSONObject: body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0", forHTTPHeaderField: "Authorization")
    // Cookies of one world are none of another's business.
    let (data, response) = try await URLSession(configuration: .ephemeral).data(for: request)
    return (
        (response as? HTTPURLResponse)?.statusCode ?? 0,
        try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    )
}

func logIn(in world: World) async throws {
    let hanko = try #require(world.urls["hanko"])
    let user =
        try await ask(hanko + "/users", ["email": "you@example.com"]).members["user_id"] as? String ?? ""
    let passcode =
        try await ask(hanko + "/passcode/login/initialize", ["user_id": user]).members["id"] as? String ?? ""
    let code = try await world.code("you@example.com")
    #expect(try await world.outbox().map(\.code) == [code])
    #expect(try await world.message("you@example.com", ["wait": 0]).kind == "passcode")
    try await world.snapshot("asked")
    try await world.advance(301)
    #expect(try await ask(hanko + "/passcode/login/finalize", ["id": passcode, "code": code]).status == 408)
    #expect(try await world.refusals().last?.contains("expired") == true)
    try await world.restore("asked")
    #expect(try await ask(hanko + "/passcode/login/finalize", ["id": passcode, "code": code]).status == 200)
    #expect(try await world.flow().contains("passcode accepted"))
}

@Suite(.world) struct LoginTests {
    @Test(arguments: 1...3) func logsInAlone(_ turn: Int) async throws { try await logIn(in: World.current) }

    @Test func messagesOfABackEnd() async throws {
        let world = try World.current
        let sent = try await world.sendText("+14155550100", "Your code is 482913", from: "Shop")
        #expect(sent.code == "482913")
        #expect(try await world.code("+14155550100") == "482913")
        try await world.sendText("+14155550101", "Hello")
        let newest = try await world.latest(["to": "+14155550100", "explain": 1])
        #expect(newest.codes?.map(\.code) == ["482913"])
        try await world.clearOutbox("+14155550100")
        #expect(try await world.outbox().map(\.text) == ["Hello"])
        try await world.clearOutbox()
        #expect(try await world.outbox().isEmpty)
    }

    @Test func thingsGoWrongAndComeRight() async throws {
        let world = try World.current, users = (world.urls["hanko"] ?? "") + "/users"
        #expect(
            try await world.fault(nil, match: ["platform": "hanko"], effect: ["answer": ["status": 503]])
                == "answer-503")
        #expect(try await ask(users, ["email": "you@example.com"]).status == 503)
        try await world.clearFaults()
        #expect(try await ask(users, ["email": "you@example.com"]).status == 200)
        let refused = await #expect(throws: Problem.self) { try await world.restore("never-saved") }
        #expect(refused?.status == 404)
    }

    @Test func theClockIsSetAndTextsComeThrough() async throws {
        let world = try World.current, name = "Zoë \"\\/\n\t\u{1} 😀 + &"
        try await world.setClock(["now": "2026-03-04T10:15:00Z", "frozen": true])
        #expect(
            (try await world.call("GET", "/clock")["now"] as? String)?.hasPrefix("2026-03-04T10:15:00")
                == true)
        let people = [["id": "zoe", "name": name, "email": "zoe+1@example.com", "story": "New."]]
        let other = try await Understudy.shared.value.world(["fixtures": ["people": people], "seed": 7])
        #expect(
            (try await other.call("GET", "/info")["people"] as? [[String: Any]])?.first?["name"] as? String
                == name)
        await #expect(throws: Problem.self) { try await other.code("zoe+1@example.com", ["wait": 0]) }
        try await other.delete()
    }

    @Test func aPhoneAnswers() async throws {
        let world = try World.current, operations = (world.urls["powerauth-cloud"] ?? "") + "/v2/operations"
        let ada = world.phone("ada")
        try await ada.enrol(["platform": "powerauth"])
        #expect(try await ada.pending().isEmpty)
        _ = try await ask(operations, ["template": "login", "userId": "ada"])
        let wrong = await #expect(throws: Problem.self) { try await ada.approve(["with": "wrong-pin"]) }
        #expect(wrong?.status == 422 && wrong?.detail.contains("PIN") == true)
        #expect(try await ada.approve().kind == "approved")
        _ = try await ask(operations, ["template": "login", "userId": "ada"])
        #expect(try await ada.decline(["reason": "UNKNOWN"]).kind == "declined")
        #expect(
            try await ada.sign(["method": "POST", "uriId": "/login", "body": "{}"])[
                "X-PowerAuth-Authorization"] != nil)
        let eva = try await world.addPhone("eva", ["owner": "eva", "model": "android"])
        try await eva.set(["network": "offline"])
        await #expect(throws: Problem.self) { try await eva.scan("ACTIV-ATION-CODEA-BCDEF") }
        let absent = await #expect(throws: Problem.self) {
            try await eva.begin("applogin", "nextauth")
        }
        #expect(absent?.detail.contains("not enrolled") == true)
    }

    @Test func whatPlatformsKeep() async throws {
        let world = try World.current, hanko = world.urls["hanko"] ?? ""
        try await world.phone("ada").enrol(["platform": "powerauth"])
        let operations = (world.urls["powerauth-cloud"] ?? "") + "/v2/operations"
        _ = try await ask(operations, ["template": "login", "userId": "ada"])
        let waiting = try #require(try await world.transactions(["user": "ada", "open": true]).first)
        #expect(try await world.decide(waiting.id, waiting.actions[0]).state == "APPROVED")
        let device = try #require(try await world.records(["platform": "powerauth", "user": "ada"]).first)
        #expect(device.actions.map(\.name) == ["block", "remove"])
        let blocked = try await world.changeRecord("powerauth", device.id, "block", ["reason": "LOST"])
        #expect(blocked?.state == "BLOCKED")
        let made = try await world.addRecord(
            "powerauth", "registration", ["user": "eva", "application": "my-app"])
        #expect(made.code?.isEmpty == false)
        let minted = try await world.mint("hanko", "session", ["user": "ada@example.com"])
        #expect(minted.token.split(separator: ".").count == 3 && minted.header?["alg"] as? String == "RS256")
        #expect(minted.claims?["aud"] as? [String] == ["localhost"])
        let user = try await ask(hanko + "/users", ["email": "you@example.com"]).members["user_id"]
        _ = try await ask(hanko + "/passcode/login/initialize", ["user_id": user as? String ?? ""])
        let mail = try await world.mail("you@example.com")
        #expect(mail.html?.contains(mail.code ?? "?") == true && mail.to.address == "you@example.com")
    }

    @Test func passkeysWithoutABrowser() async throws {
        let world = try World.current, ada = world.authenticator("ada")
        let provider = PasskeyStandIn(
            world: world.url, phone: "ada", relyingPartyIdentifier: "example.com", token: world.server.token)
        let canceled = await #expect(throws: NSError.self) {
            try await provider.assertion(challenge: Data("0123456789abcdef".utf8))
        }
        #expect(canceled?.code == 1001)
        let made = try await provider.registration(
            challenge: Data("0123456789abcdef".utf8), name: "ada", userID: Data("ada".utf8))
        let used = try await provider.assertion(challenge: Data("0123456789abcdef".utf8))
        #expect(used.credentialID == made.credentialID && used.userID == Data("ada".utf8))
        let data = try JSONSerialization.jsonObject(with: used.rawClientDataJSON) as? [String: Any]
        #expect(data?["origin"] as? String == "https://example.com")
        let again = await #expect(throws: NSError.self) {
            try await provider.registration(
                challenge: Data("0123456789abcdef".utf8), name: "ada", userID: Data("ada".utf8),
                excludedCredentials: [made.credentialID])
        }
        #expect(again?.code == 1006)
        try await ada.set(["origin": "https://example.com", "behaviour": ["userHandleForm": "absent"]])
        let text = try await ada.get(#"{"rpId": "example.com", "challenge": "MDEyMzQ1Njc4OWFiY2RlZg"}"#)
        #expect(text.contains(#""id""#) && !text.contains("userHandle"))
    }
}

@Test(.world) func fails() async throws {
    let hanko = try World.current.urls["hanko"] ?? ""
    #expect(try await ask(hanko + "/passcode/login/initialize", ["user_id": "nobody"]).status == 200)
}

@Test(.world) func throwsAnError() async throws {
    let world = try World.current
    _ = try await ask((world.urls["hanko"] ?? "") + "/passcode/login/initialize", ["user_id": "nobody"])
    try await world.restore("never-saved")
}

final class TeamXCTests: WorldTestCase {
    func testLogsInAlone() async throws { try await logIn(in: world) }

    func testFails() async throws {
        let hanko = try world.urls["hanko"] ?? ""
        let status = try await ask(hanko + "/passcode/login/initialize", ["user_id": "nobody"]).status
        XCTAssertEqual(status, 200)
    }
}
