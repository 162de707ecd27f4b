import HTTP
import PlatformKit
import TestKit
import Testing

@testable import PowerAuth

/// Source: powerauth-server on Spring MVC, which takes bodies by `Content-Type`.
@Suite struct MediaTypeTests {
    private static let paths = [
        "/powerauth-java-server/rest/v3/application/list", "/powerauth-cloud/v2/registrations",
    ]

    @Test(arguments: paths, ["text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"])
    func `back ends send JSON and nothing else`(_ path: String, _ type: String) throws {
        let bench = try TestBench(PowerAuth.self)

        let refused = bench.post(path, raw: "{}", headers: ["Content-Type": type])

        #expect(refused.status == .unsupportedMediaType)
        #expect(refused.headers["Accept"] == "application/json")
        #expect(refused.text.contains("Content-Type '\(type)' is not supported"))
        #expect(bench.explanation?.hasPrefix("The body came as “\(type)”") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test(
        arguments: [
            ["Content-Type": "application/json"], ["Content-Type": "Application/JSON; charset=UTF-8"],
            ["Content-Type": "application/vnd.api+json"], [:],
        ] as [Headers])
    func `JSON by any of its names, and a body of which nothing is said, go on`(_ headers: Headers) throws {
        let bench = try TestBench(PowerAuth.self)
        let answer = bench.send(
            .post, "/powerauth-java-server/rest/v3/application/list",
            body: Array(#"{"requestObject":{}}"#.utf8), headers: headers)
        #expect(answer.status == .ok)
    }
}
