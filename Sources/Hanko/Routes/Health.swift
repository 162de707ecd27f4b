import HTTP

extension Hanko {
    /// `GET /health/alive`: whether the process runs.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"alive":true}`.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func healthAlive(_ request: Request) throws -> Response { try .hanko(["alive": true]) }

    /// `GET /health/ready`: whether it can serve.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"ready":true}`.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func healthReady(_ request: Request) throws -> Response { try .hanko(["ready": true]) }
}
