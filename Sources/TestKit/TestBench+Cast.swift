import Embedded
import Essentials
package import HTTP
import PlatformKit
import Testing

extension TestBench {
    /// With the platform's part of the built-in fixtures, and the people. A platform that has none begins empty.
    package static func withCast() throws -> TestBench {
        try TestBench(P.self, fixtures: Cast.fixtures(of: P.name))
    }

    /// Mints a token of the platform, for the calls of who has been through its flow.
    package func mint(
        _ kind: String, user: String? = nil, client: String? = nil, scope: String? = nil
    ) throws -> String {
        var request = Request(.get, "/", headers: ["Host": "localhost:8420"])
        request.context.mount = "/" + (P.mountPaths.first ?? P.name)
        var order = MintRequest(kind: kind, request: request)
        (order.user, order.client, order.scope) = (user, client, scope)
        return try #require(world.ask(P.self, (any MintsTokens).self)).mint(order).text
    }
}

/// The fixtures that the program brings along.
private enum Cast {
    /// By name; whatever is wrong with the file is the subject of other tests.
    private static let sections: [String: JSONValue] = {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let file = EmbeddedFile.at("Fixtures/default.json")?.bytes ?? []
        return (try? decoder.decode([String: JSONValue].self, from: Data(file))) ?? [:]
    }()

    static func fixtures(of platform: String) -> String {
        JSONValue.object(sections.filter { ["people", platform].contains($0.key) }).text
    }
}

extension Headers {
    package static func basic(ofCast name: String, _ password: String) -> Headers {
        ["Authorization": "Basic " + Data((name + ":" + password).utf8).base64EncodedString()]
    }
}
