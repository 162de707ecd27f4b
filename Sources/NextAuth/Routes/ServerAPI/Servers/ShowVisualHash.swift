import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /servers/{serverid}/vash`: the picture of the server's key.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, a PNG.
    /// - Errors: 401; 403 without `sessions` or `servers`; 404.
    /// - Source: API description 2.2, `getServerVash`; the drawing is ours.
    func showVisualHash(_ request: Request) throws -> Response {
        let server = try look { db, _ in try request.requireServer([.sessions, .servers], in: db) }
        return .png(try VisualHash(of: server.publicKey).png(side: 160))
    }
}

extension Response {
    static func png(_ bytes: [UInt8]) -> Response {
        Response(headers: ["Content-Type": "image/png"], body: bytes)
    }
}
