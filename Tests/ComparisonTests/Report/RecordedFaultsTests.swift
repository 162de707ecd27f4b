import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Comparison

@Suite struct RecordedFaultsTests {
    /// One answer of a route with one difference.
    private func faults(
        _ difference: Difference, _ body: String, status: Int = 200, headers: Headers = [:]
    ) -> RecordedFaults {
        let exchange = Exchange(
            number: 7, startedAt: Date(timeIntervalSince1970: 0), seconds: 0,
            playedAt: Date(timeIntervalSince1970: 0), takenAt: nil, isPassed: false,
            isWebSocket: false,
            request: RecordedRequest(
                method: "GET", url: "https://tenant.example/me", headers: [:], body: [], isCut: false),
            response: RecordedResponse(
                status: status, headers: headers, body: Array(body.utf8), isCut: false))
        let finding = Finding(
            exchange, route: "GET /hanko/users/:id", platform: "hanko", .differs([difference]))
        return Report([finding], RouteBook([])).faults(as: [exchange])
    }

    private func difference(
        _ kind: Difference.Kind, _ place: String, ours: String = "x", recorded: String = "y"
    )
        -> Difference
    { Difference(kind, place, recorded: recorded, ours: ours, "a sentence") }

    @Test(arguments: [
        (
            Difference.Kind.missing, "body plan", "y", #"{"plan":{"name":"free","seats":1.5}}"#,
            #"{"plan":{"name":"free","seats":1.5}}"#
        ),
        (.word, "body user.state", "y", #"{"user":{"state":"idle"}}"#, #"{"user":{"state":"idle"}}"#),
        (
            .value, "body claims.https://a.example/b", "y", #"{"claims":{"https://a.example/b":2}}"#,
            #"{"claims":{"https://a.example/b":2}}"#
        ),
        (.more, "body user.id", "", #"{"user":{}}"#, #"{"user":{"id":null}}"#),
        (.word, "body scopes[]", "y", #"{"scopes":["a","b"]}"#, #"{"scopes":["a","b"]}"#),
    ])
    func `a member becomes a merge patch`(
        kind: Difference.Kind, place: String, recorded: String, body: String, patch: String
    ) throws {
        let faults = faults(difference(kind, place, recorded: recorded), body)
        let effect = try #require(faults.rules.first?.effect as? PatchEffect)
        #expect(effect.body?.text == patch && effect.ofStatus == 200 && faults.left.isEmpty)
    }

    @Test func `a rule is for its route, and its fixtures are read again`() throws {
        let faults = faults(
            difference(.header, "header Cache-Control"), "{}", headers: ["Cache-Control": "no-store"])
        let rules = try FaultRule.rules(reading: Array(faults.fixtures.utf8), platforms: ["hanko"])
        let rule = try #require(rules.first)
        #expect(rule.name == "as-recorded-7" && rules.count == 1)
        #expect((rule.match.platform, rule.match.method, rule.match.path) == ("hanko", "GET", "/users/:id"))
        #expect((rule.effect as? PatchEffect)?.headers == ["Cache-Control": "no-store"])
    }

    @Test func `another status brings its body and strikes the answers of ours alone`() throws {
        let faults = faults(
            difference(.status, "status", ours: "404"), #"{"code":410}"#, status: 410,
            headers: ["Content-Type": "application/json"])
        let effect = try #require(faults.rules.first?.effect as? PatchEffect)
        #expect(effect.ofStatus == 404 && effect.status == 410 && effect.body?.text == #"{"code":410}"#)
    }

    @Test(arguments: [
        (Difference.Kind.claim, "body id_token claim sub"), (.cookie, "cookie hanko"), (.order, "body users"),
        (.value, "body users[].name"), (.missing, "header Location parameter state"), (.form, "body id"),
        (.null, "body gone"), (.missing, "body entries.*.id"),
    ])
    func `what no patch can say is told`(kind: Difference.Kind, place: String) {
        let faults = faults(difference(kind, place), #"{"id":"x","gone":null,"users":[]}"#)
        #expect(faults.rules.isEmpty && faults.left == ["GET /hanko/users/:id: a sentence"])
    }
}
