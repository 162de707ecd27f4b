import HTTP
import PlatformKit

/// One call of the control API: a method, a path below ``Console/root``, and the function that answers.
struct ControlCall: Sendable {
    typealias Handler = @Sendable (Console) -> (World, Request) throws -> Response

    let method: Request.Method
    let path: String
    /// False for what a health check without credentials may ask.
    var needsToken = true
    /// Bytes of body.
    var bodyLimit = bodyBytes
    let handler: Handler

    /// Bytes of body that a call takes which says nothing else: some texts.
    static let bodyBytes = 64 * 1024
    /// The same of a call that takes a picture, or what somebody else wrote.
    static let longBodyBytes = 4 * 1024 * 1024

    static func open(
        _ method: Request.Method, _ path: String, bodyLimit: Int = bodyBytes, _ handler: @escaping Handler
    ) -> ControlCall {
        ControlCall(method: method, path: path, needsToken: false, bodyLimit: bodyLimit, handler: handler)
    }

    static func get(_ path: String, _ handler: @escaping Handler) -> ControlCall {
        ControlCall(method: .get, path: path, handler: handler)
    }

    static func post(_ path: String, bodyLimit: Int = bodyBytes, _ handler: @escaping Handler) -> ControlCall
    {
        ControlCall(method: .post, path: path, bodyLimit: bodyLimit, handler: handler)
    }

    static func put(_ path: String, bodyLimit: Int = bodyBytes, _ handler: @escaping Handler) -> ControlCall {
        ControlCall(method: .put, path: path, bodyLimit: bodyLimit, handler: handler)
    }

    static func patch(_ path: String, bodyLimit: Int = bodyBytes, _ handler: @escaping Handler) -> ControlCall
    {
        ControlCall(method: .patch, path: path, bodyLimit: bodyLimit, handler: handler)
    }

    static func delete(_ path: String, _ handler: @escaping Handler) -> ControlCall {
        ControlCall(method: .delete, path: path, handler: handler)
    }
}
