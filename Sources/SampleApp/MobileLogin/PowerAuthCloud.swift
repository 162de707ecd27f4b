import Essentials
import HTTP
import PlatformKit

/// The PowerAuth Cloud API v2, as far as the back end of an app needs it.
///
/// Source: the vendor's article “Implement Login in Mobile Apps”.
struct PowerAuthCloud: Sendable {
    /// Such as `https://powerauth.example.com/powerauth-cloud`.
    let baseURL: String
    let username: String
    let password: String
    let web: WebCalls

    /// What an authentication code proved.
    struct Authentication: Decodable {
        let signatureValid: Bool
        let userId: String?
        let registrationId: String?
        let registrationStatus: String?
        let signatureType: String?
        let remainingAttempts: Int?
    }

    /// What a MAC token proved.
    struct Token: Decodable {
        let tokenValid: Bool
        let userId: String?
        let registrationId: String?
        let registrationStatus: String?
    }

    struct Operation: Decodable {
        struct AdditionalData: Decodable {
            let ipAddress: String?
            let userAgent: String?
        }

        let operationId: String
        let status: String
        let userId: String?
        let registrationId: String?
        /// Milliseconds since 1970 UTC.
        let timestampFinalized: Int?
        let additionalData: AdditionalData?
    }

    /// `POST /v2/authentication/verify`
    ///
    /// - Parameters:
    ///   - header: the value of `X-PowerAuth-Authorization` as the app sent it.
    ///   - body: the bytes of the app's request, untouched.
    func verify(_ header: String, method: String, uriID: String, body: [UInt8]) throws -> Authentication {
        try post(
            "/v2/authentication/verify",
            [
                "method": .string(method), "uriId": .string(uriID), "authHeader": .string(header),
                "requestBody": .string(Data(body).base64EncodedString()),
            ], "check of an authentication code")
    }

    /// `POST /v2/token/verify`
    func verify(token header: String) throws -> Token {
        try post("/v2/token/verify", ["authHeader": .string(header)], "check of a MAC token")
    }

    /// `POST /v2/operations`, bound to one device; the platform knows whose it is.
    func createOperation(template: String, registrationID: String) throws -> Operation {
        do {
            return try post(
                "/v2/operations", ["template": .string(template), "registrationId": .string(registrationID)],
                "creation of an operation")
        } catch MobileLoginError.platformRefused(_, status: 400, let body)
            where body.contains("ERROR_REGISTRATION_NOT_FOUND")
        {
            // What the app named, not what the platform did, is wrong.
            throw MobileLoginError.deviceUnknown(registrationID)
        }
    }

    /// `GET /v2/operations/{operationId}`
    func operation(_ id: String) throws -> Operation {
        try decode(try send(.get, "/v2/operations/" + id.percentEncoded, []), "reading of an operation")
    }

    private func post<Output: Decodable>(
        _ path: String, _ input: [String: JSONValue], _ purpose: String
    ) throws -> Output {
        try decode(try send(.post, path, JSONValue.object(input).bytes), purpose)
    }

    private func send(_ method: Request.Method, _ path: String, _ body: [UInt8]) throws -> Response {
        var headers: Headers = ["Accept": "application/json"]
        headers["Authorization"] = BasicCredentials(name: username, password: password).header
        if method == .post { headers["Content-Type"] = "application/json" }
        do {
            return try web.send(method, baseURL + path, headers, body)
        } catch let error as WebCallFailed {
            throw MobileLoginError.platformSilent("\(method.rawValue) \(baseURL)\(path): \(error)")
        }
    }

    private func decode<Output: Decodable>(_ answer: Response, _ purpose: String) throws -> Output {
        guard answer.status == .ok else {
            throw MobileLoginError.platformRefused(
                purpose, status: answer.status.code, String(decoding: answer.bytes.prefix(500), as: UTF8.self)
            )
        }
        do {
            return try JSONDecoder().decode(Output.self, from: Data(answer.bytes))
        } catch let error as DecodingError {
            throw MobileLoginError.platformRefused(
                purpose, status: 200, "an answer that cannot be read: \(error.sentence)")
        }
    }
}
