import Embedded
import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Onegini

/// `Web/openapi/onegini-device.json` against the routes that it describes.
@Suite struct DescriptionTests {
    private struct Document: Decodable {
        struct Item: Decodable {
            struct Operation: Decodable {}

            let get, put, post, delete, patch: Operation?

            var methods: [String] {
                [("GET", get), ("PUT", put), ("POST", post), ("DELETE", delete), ("PATCH", patch)]
                    .compactMap { method, operation in operation.map { _ in method } }
            }
        }

        let paths: [String: Item]
    }

    private static func described() throws -> Set<String> {
        let file = try #require(EmbeddedFile.at("Web/openapi/onegini-device.json"))
        let document = try JSONDecoder().decode(Document.self, from: Data(file.bytes))
        return Set(
            document.paths.flatMap { path, item in
                // A picture is the route of its page, with an ending that the route looks at.
                item.methods.map { "\($0) " + path.replacing(/\{\w+\}(\.svg|\.png)?/, with: "{}") }
            })
    }

    @Test func `every route of the device protocol is described, and every description is a route`() throws {
        let root = "/sdk/v1"
        let routes = Onegini.routes.filter { $0.pattern.hasPrefix(root + "/") }.map { route in
            "\(route.method.rawValue) " + route.pattern.dropFirst(root.count).replacing(/:\w+/, with: "{}")
        }

        #expect(routes.count > 20)
        #expect(try Self.described() == Set(routes))
    }

    @Test func `the guide names every number that an app may hear`() throws {
        let file = try #require(EmbeddedFile.at("Web/openapi/onegini-device.json"))
        let document = try JSONValue(parsing: file.bytes)
        let page = try #require(EmbeddedFile.at("Web/docs/onegini-device.md"))
        let guide = String(decoding: page.bytes, as: UTF8.self)
        let examples = try #require(document["components"]?["examples"]?.object)
        let codes = Set(examples.values.compactMap { $0["value"]?["sdk_code"]?.integer })
        // The table of section 10: numbers in the first column.
        let rows = guide.split(separator: "\n").filter { $0.wholeMatch(of: /\| [0-9]{4,5}[ ,].*/) != nil }
        let told = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /[0-9]+/).compactMap { Int($0.output) }
        }

        #expect(codes.count > 20)
        #expect(Set(told) == codes)
    }
}
