import Crypto
import Embedded
import Essentials
import HTTP
import PlatformKit
import Testing

@testable import NextAuth

/// `Web/openapi/nextauth-device.json` against the routes that it describes.
@Suite struct DescriptionTests {
    private static func document() throws -> JSONValue {
        try JSONValue(parsing: #require(EmbeddedFile.at("Web/openapi/nextauth-device.json")).bytes)
    }

    private static func guide() throws -> String {
        let page = try #require(EmbeddedFile.at("Web/docs/nextauth-device.md"))
        return String(decoding: page.bytes, as: UTF8.self)
    }

    @Test func `every route of the device protocol is described, and every description is a route`() throws {
        let root = "/device/v1"
        let routes = NextAuth.routes.filter { $0.pattern.hasPrefix(root + "/") }.map { route in
            "\(route.method.rawValue) " + route.pattern.dropFirst(root.count).replacing(/:\w+/, with: "{}")
        }
        let paths = try #require(try Self.document()["paths"]?.object)
        let described = paths.flatMap { path, item in
            (item.object ?? [:]).keys.map {
                "\($0.uppercased()) " + path.replacing(/\{\w+\}/, with: "{}")
            }
        }

        #expect(routes.count > 20)
        #expect(Set(described) == Set(routes))
    }

    @Test func `the guide names every error that an app may hear`() throws {
        let refusals: [DeviceRefusal] = [
            .malformed(""), .tokenMissing, .proofWrong(""), .accountBlocked(1), .accountUnknown(""),
            .accountsMissing(server: ""), .serverUnknown(""), .flowUnknown(""), .stateWrong(""),
            .severalAccounts(2), .continuousAuthenticationRequired(server: ""), .codeUnknown,
            .secondFactorBlocked, .sessionUnknown(""), .messageUnknown(""), .pathUnknown,
            .methodUnknown(allow: ""),
        ]
        let rows = try Self.guide().split(separator: "\n").filter {
            $0.wholeMatch(of: /\| [0-9]+ \| [0-9]+ \| .*/) != nil
        }

        let expected = refusals.map(\.wire).map { "| \($0.number) | \($0.status.code) | `\($0.code)` |" }
        #expect(rows.map(String.init) == expected)
    }

    @Test func `the guide's example of a second factor is what the server computes`() throws {
        let guide = try Self.guide()
        let zeroes = Base64URL.encode([UInt8](repeating: 0, count: 32))
        let instance = Base64URL.encode([UInt8](repeating: 0, count: 16))
        let pinKey = try #require(guide.firstMatch(of: /pinkey `([\w-]{43})`/)?.1)
        let proof = try #require(guide.firstMatch(of: /pinproof `([\w-]{43})`/)?.1)

        #expect(try DeviceKey.pinKey(of: "12345", instance: instance) == pinKey)
        #expect(DeviceKey.isProof(String(proof), of: zeroes, pinKey: String(pinKey)))
    }
}
