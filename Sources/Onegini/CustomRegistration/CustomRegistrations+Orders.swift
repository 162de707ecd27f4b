import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit

extension CustomRegistrations {
    /// The client of a registration: by its credentials, or by an assertion in the JSON body.
    ///
    /// - Throws: 400 `invalid_client`, which this API has instead of 401.
    func requireClient(_ request: Request, _ members: Members) throws -> Client {
        do {
            return try server.requireClient(try proof(in: request, members))
        } catch let refusal as any OAuthRefusal where refusal.wire.error == "invalid_client" {
            throw CustomRegistrationRefusal.clientInvalid(refusal.explanation)
        }
    }

    /// The request as the authorization server reads it: an assertion stands in a form there.
    private func proof(in request: Request, _ members: Members) throws -> Request {
        guard request.path.contains("/v2/custom-registration/") else { return request }
        try Self.checkHeader(of: try members.text("client_assertion"))
        var proof = request
        let fields = [
            ("client_assertion_type", try members.text("client_assertion_type")),
            ("client_assertion", try members.text("client_assertion")),
        ]
        proof.headers["Content-Type"] = "application/x-www-form-urlencoded"
        proof.body = Array(fields.map { "\($0.0)=\($0.1.formEscaped)" }.joined(separator: "&").utf8)
        return proof
    }

    /// This API wants one algorithm, and the name of the key. Source: Token Server documentation, custom registration v2.
    private static func checkHeader(of assertion: String) throws {
        let part = assertion.prefix { $0 != "." }
        guard let bytes = Base64URL.decode(String(part)) else { return }
        let header: JSONValue
        do {
            header = try JSONValue(parsing: bytes)
        } catch is DecodingError {
            return  // The authorization server says what is wrong with it.
        }
        guard header["alg"] == "ES256" else {
            throw CustomRegistrationRefusal.clientInvalid(
                "Custom registration v2 takes a client_assertion that is signed with ES256, not with "
                    + "\(header["alg"]?.text.prefix(40) ?? "nothing").")
        }
        guard header["kid"]?.string?.isEmpty == false else {
            throw CustomRegistrationRefusal.clientInvalid(
                "The header of the client_assertion has no kid, which custom registration v2 needs.")
        }
    }
}
