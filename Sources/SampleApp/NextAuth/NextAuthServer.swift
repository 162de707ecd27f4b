import Essentials
import HTTP
import PlatformKit

/// The nextAuth Server API 2.2, as far as a token service needs it.
///
/// Source: nextAuth Server API 2.2; documentation of the Mobile SDK, AppLogin.
struct NextAuthServer: Sendable {
    /// Such as `https://api.example.com`.
    let baseURL: String
    /// Base64.
    let serverID: String
    let apiKey: String
    let web: WebCalls

    /// What a session is at this moment.
    struct LoginStatus: Decodable {
        let loggedin: Bool
        let userid: String?
        let accountid: Int?
    }

    /// `GET /servers/{serverid}/sessions/`: who is logged in at the session that a nonce names.
    func status(of nonce: String) throws -> LoginStatus {
        let answer = try send("/sessions/", ["X-nonce": nonce], "state of a session")
        do {
            return try JSONDecoder().decode(LoginStatus.self, from: Data(answer.bytes))
        } catch let error as DecodingError {
            throw NextAuthTokenError.serverConfused(
                "The state of a session cannot be read: \(error.sentence).")
        }
    }

    /// `GET /servers/{serverid}/users/{userid}/attributes`: a JSON object, labelled as text.
    func attributes(of userID: String) throws -> JSONValue {
        let answer = try send("/users/\(userID.percentEncoded)/attributes", [:], "attributes of a user")
        do {
            return try JSONValue(parsing: answer.bytes)
        } catch let error as DecodingError {
            throw NextAuthTokenError.serverConfused(
                "The attributes of a user are not JSON: \(error.sentence).")
        }
    }

    private func send(_ path: String, _ headers: Headers, _ purpose: String) throws -> Response {
        var headers = headers
        headers["X-apikey"] = apiKey
        headers["Accept"] = "application/json, text/plain"
        let url = baseURL + "/servers/" + serverID.percentEncoded + path
        let answer: Response
        do {
            answer = try web.send(.get, url, headers, [])
        } catch let error as WebCallFailed {
            throw NextAuthTokenError.serverSilent("GET \(url): \(error)")
        }
        guard answer.status == .ok else {
            throw NextAuthTokenError.serverConfused(
                "The nextAuth Server answered the question for the \(purpose) with \(answer.status.code): "
                    + String(decoding: answer.bytes.prefix(300), as: UTF8.self) + ".")
        }
        return answer
    }
}
