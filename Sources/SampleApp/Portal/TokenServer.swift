import Essentials
import HTTP
import PlatformKit

/// The token server's mobile authentication API, as far as a portal needs it.
///
/// Source: Token Server documentation, “Mobile authentication API v4”.
struct TokenServer: Sendable {
    /// Such as `https://token-server.example.com/oauth`.
    let baseURL: String
    let clientID: String
    let clientSecret: String
    let web: WebCalls

    /// What the server says of a transaction that began.
    struct Started: Decodable {
        let transactionID: String
        /// Milliseconds.
        let timeToLive: Int
        let otp: String

        enum CodingKeys: String, CodingKey {
            case transactionID = "transaction_id"
            case timeToLive = "time_to_live"
            case otp
        }
    }

    struct Result: Decodable {
        struct Reason: Decodable {
            let reason: String
            let description: String
        }

        let transactionID: String
        let isAuthenticated: Bool
        /// The user who answered.
        let userID: String?
        /// Only once it is certain that nobody will be authenticated.
        let notAuthenticatedReason: Reason?

        enum CodingKeys: String, CodingKey {
            case transactionID = "transaction_id"
            case isAuthenticated = "is_authenticated"
            case userID = "user_id"
            case notAuthenticatedReason = "not_authenticated_reason"
        }
    }

    /// `POST /api/v4/authenticate/user`
    ///
    /// - Throws: ``SampleAppError/tokenServerSilent(_:)``, ``SampleAppError/tokenServerRefused(_:status:_:)``.
    func start(type: String, message: String, callback: String) throws -> Started {
        let form = Form.encode([("type", type), ("message", message), ("callback_uri", callback)])
        let answer = try send(
            .post, "/api/v4/authenticate/user", Array(form.utf8),
            ["Content-Type": "application/x-www-form-urlencoded;charset=UTF-8"])
        return try decode(Started.self, answer, "start of a mobile authentication")
    }

    /// `GET /api/v4/authenticate/transaction/{id}`
    ///
    /// - Throws: as ``start(type:message:callback:)``.
    func result(of transactionID: String) throws -> Result {
        let answer = try send(
            .get, "/api/v4/authenticate/transaction/" + transactionID.percentEncoded, [], [:])
        return try decode(Result.self, answer, "result of a mobile authentication")
    }

    private func send(
        _ method: Request.Method, _ path: String, _ body: [UInt8], _ headers: Headers
    ) throws -> Response {
        var headers = headers
        headers["Authorization"] = BasicCredentials(clientID: clientID, secret: clientSecret).header
        headers["Accept"] = "application/json"
        do {
            return try web.send(method, baseURL + path, headers, body)
        } catch let error as WebCallFailed {
            throw SampleAppError.tokenServerSilent("\(method.rawValue) \(baseURL)\(path): \(error)")
        }
    }

    private func decode<Output: Decodable>(_: Output.Type, _ answer: Response, _ purpose: String) throws
        -> Output
    {
        guard answer.status == .ok else {
            throw SampleAppError.tokenServerRefused(
                purpose, status: answer.status.code, String(decoding: answer.bytes.prefix(500), as: UTF8.self)
            )
        }
        do {
            return try JSONDecoder().decode(Output.self, from: Data(answer.bytes))
        } catch let error as DecodingError {
            throw SampleAppError.tokenServerRefused(
                purpose, status: 200, "an answer that cannot be read: \(error.sentence)")
        }
    }
}
