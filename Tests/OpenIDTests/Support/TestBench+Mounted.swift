import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit

extension TestBench where P == MountedServer {
    /// - Parameter oauth: members of the section `oauth` of the fixtures: `"clients": […]`.
    static func mounted(
        _ oauth: String, seed: UInt64 = 1, serving change: (inout Dispatcher.Settings) -> Void = { _ in }
    ) throws -> TestBench<MountedServer> {
        try TestBench<MountedServer>(
            MountedServer.self, fixtures: #"{"mounted": {"oauth": {\#(oauth)}}}"#, seed: seed, serving: change
        )
    }

    /// The server of the bench's world, as a request sees it.
    var server: AuthorizationServer { MountedServer(world).server }

    /// The issuer under which the tests' requests come.
    var issuer: String { Self.origin + "/oauth" }

    /// Sends a form to a path below the mount: `bench.form("/token", ["grant_type": "client_credentials"])`.
    func form(
        _ path: String, _ fields: KeyValuePairs<String, String>, headers: Headers = [:]
    ) -> Response {
        var headers = headers
        if headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        }
        let body = fields.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }.joined(separator: "&")
        return send(.post, "/oauth" + path, body: Array(body.utf8), headers: headers)
    }

    /// Every byte that is no letter or digit percent-encoded. Source: RFC 3986 §2.1.
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber { return String(character) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// The value of `Authorization` for a client: id and secret form-encoded, then base64. Source: RFC 6749 §2.3.1.
    static func basic(_ id: String, _ secret: String) -> String {
        "Basic " + Data("\(escaped(id)):\(escaped(secret))".utf8).base64EncodedString()
    }
}
