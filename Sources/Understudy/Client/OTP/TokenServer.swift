import Essentials
import HTTP
import HTTPClient

/// The public API of the token server, as a portal uses it to start a transaction (mobile authentication API v4).
struct TokenServer {
    struct Started: Decodable {
        let transactionID: String
        /// Base64 of what the device reads.
        let otp: String

        enum CodingKeys: String, CodingKey {
            case transactionID = "transaction_id"
            case otp
        }
    }

    let api: ControlAPI
    /// `ID:SECRET`.
    let credentials: BasicCredentials

    private static let path = "/oauth/api/v4/authenticate/user"

    /// - Throws: ``Failure`` with what the journal says of a refusal.
    func start(type: String, message: String, callback: String) throws -> Started {
        let form = [("type", type), ("message", message), ("callback_uri", callback)]
        let response = try api.send(
            .post, api.base + Self.path,
            headers: [
                "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": credentials.header,
            ],
            body: Array(Form.encode(form).utf8))
        guard response.status == .ok else { throw refusal(response) }
        return try api.read(Started.self, response)
    }

    private func refusal(_ response: ClientResponse) -> Failure {
        let said = "the token server did not start it: \(response.status.code) \(response.status.reason)"
        // The refusal is told even where the journal cannot be read.
        guard let id = response.headers["X-Request-Id"], let reason = try? explanation(of: id) else {
            return Failure("\(said) \(Columns.plain(String(response.text.prefix(300))))")
        }
        return Failure("\(said). \(reason)")
    }

    private struct Entries: Decodable {
        struct Entry: Decodable {
            let explanation: String?
        }

        let entries: [Entry]
    }

    /// What the journal says of a request; nil when it says nothing.
    private func explanation(of request: String) throws -> String? {
        let query: [(String, String?)] = [("correlation", request), ("kind", "request")]
        return try api.read(Entries.self, api.call(.get, "/journal", query: query)).entries.first?.explanation
    }
}
