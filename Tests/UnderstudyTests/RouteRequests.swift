import Essentials
import HTTP
import PlatformKit

/// A request for each route of a platform, made from its route table, that comes as far as the built-in cast lets it come.
enum RouteRequests {
    struct Line: CustomStringConvertible, Sendable {
        let method: Request.Method
        let target: String
        let headers: Headers

        var description: String { "\(method.rawValue) \(target)" }

        var request: Request {
            let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
            return Request(method, parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers)
        }
    }

    static func all<P: Platform>(of _: P.Type) -> [Line] {
        let below = P.mounts.flatMap { mount in mount.routes.map { line($0, below: mount.path) } }
        return below + ((P.self as? any AnswersAtRoot.Type).map(atRoot) ?? [])
    }

    private static func atRoot(_ platform: any AnswersAtRoot.Type) -> [Line] {
        func lines<P: AnswersAtRoot>(_: P.Type) -> [Line] { P.hostRoutes.map { line($0, below: nil) } }
        return lines(platform)
    }

    private static func line<P: Platform>(_ route: Route<P>, below mount: String?) -> Line {
        let place = mount.map { "/" + $0 } ?? ""
        let path = place + route.pattern.replacing(/[:*](\w+)/) { values[String($0.1)] ?? "none" }
        var headers: Headers = ["Host": "localhost:8420"]
        for (name, value) in credentials[mount ?? ""] ?? [] { headers[name] = value }
        return Line(
            method: route.method, target: path + (queries[path].map { "?" + $0 } ?? ""), headers: headers)
    }

    /// What stands in the place of a parameter.
    private static let values = [
        "application": "my-app", "user": "eva", "userId": "ada", "userid": "ada@example.com",
        "serverid": "NP3zfIyXOwwzWEIfcetxjQ==", "project": "understudy", "client_id": "backend",
        "type": "push",
    ]

    /// Parameters that have a query look into lists: SQLite's table-valued functions are used there.
    private static let queries = [
        "/hanko-admin/audit_logs": "type=user_created",
        "/hanko/admin/audit_logs": "type=user_created",
        "/hanko-admin/users": "user_id=3a979e86-2f1c-4b51-9ad0-5c1d4f3a8e21",
        "/powerauth-cloud/v2/operations": "userId=eva",
        "/powerauth-cloud/v2/registrations": "userId=eva&appId=my-app",
        "/powerauth-push-server/inbox/messages/list": "userId=eva&applications=my-app",
        "/powerauth-push-server/inbox/messages/count": "userId=eva&appId=my-app",
        "/powerauth-push-server/inbox/messages/detail": "id=none",
    ]

    /// By mount.
    private static let credentials: [String: [(String, String)]] = [
        "powerauth-cloud": [("Authorization", basic("admin:admin-secret"))],
        "oauth": [("Authorization", basic("backend:backend-secret"))],
        "api": [("Authorization", basic("backend:backend-secret"))],
        "nextauth": [("X-apikey", "nextauth-api-key"), ("X-nonce", "0123456789abcdef")],
    ]

    private static func basic(_ account: String) -> String {
        "Basic " + Data(account.utf8).base64EncodedString()
    }
}
