import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What the steps of a custom registration have in common.
extension Onegini {
    /// A provider that is configured and enabled.
    func provider(_ request: Request, in db: Connection) throws -> CustomProvider {
        let id = request.parameter("idp")
        let all =
            try CustomProvider.setting.value(in: db)
            ?? CustomProvider.builtIn
        guard let provider = all.first(where: { $0.id == id }) else {
            throw CustomRegistrationRefusal.providerUnknown(id, known: all.map(\.id))
        }
        guard provider.isEnabled else { throw CustomRegistrationRefusal.providerDisabled(id) }
        return provider
    }

    func customMembers(_ request: Request) throws -> Members {
        try Members(request, isOptional: true) { CustomRegistrationRefusal.requestInvalid($0) }
    }

    /// The client of a registration: by its credentials, or by an assertion in the JSON body.
    ///
    /// - Throws: 400 `invalid_client`, which this API has instead of 401.
    func requireRegistrant(_ request: Request, _ members: Members) throws -> Client {
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

    /// What a scripted provider says.
    func scripted(
        _ provider: CustomProvider, _ step: CustomProvider.Step, _ data: JSONValue?
    ) -> CustomOutcome {
        let answer = provider.answers.first { $0.step == step && ($0.when == nil || $0.when == data) }
        guard let answer else {
            return CustomOutcome(
                status: 5000, data: .string("no answer is configured for \(step.rawValue) with these data"))
        }
        return CustomOutcome(status: answer.status, data: answer.data, userID: answer.userID)
    }

    func newTransaction(
        _ id: String, _ provider: CustomProvider, client: Client? = nil, subject: String? = nil
    ) -> CustomTransaction {
        CustomTransaction(
            id: id, provider: provider.id, clientID: client?.id, subject: subject,
            expiresAt: server.now.addingTimeInterval(Double(CustomTransaction.lifetimeSeconds)))
    }

    /// HTTP says that the step was taken; the status says how it went.
    func customResponse(_ outcome: CustomOutcome, _ members: [String: JSONValue] = [:]) -> Response {
        var members = members
        members["status"] = .integer(outcome.status)
        members["data"] = outcome.data
        return .oauth(.object(members))
    }
}

extension CustomProvider {
    static let setting = Setting<[CustomProvider]>("onegini.custom_registration")
}
