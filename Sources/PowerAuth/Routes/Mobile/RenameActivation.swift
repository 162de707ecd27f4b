import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/activation/rename`: signed first (`/pa/activation/rename`, two factors), then encrypted.
    ///
    /// - Request: `{"activationName"}`, 1 to 255 characters, encrypted for the activation.
    /// - Response: `200`, encrypted `{"status":"OK","responseObject":{"activationId","activationName"}}`.
    /// - Errors: `ERR_ENCRYPTION`, 401 `POWER_AUTH_SIGNATURE_INVALID`, `ERR_ACTIVATION` for the name.
    /// - Source: PowerAuth documentation, «Standard RESTful API»; *assumed* is that the code covers the plaintext.
    func renameActivation(_ request: Request) throws -> Response {
        try exchange { turn in
            guard request.headers[AuthorizationHeader.name] != nil else {
                throw MobileRefusal(
                    .signatureInvalid,
                    because: AuthenticationRefusal(.headerMissing(AuthorizationHeader.name)))
            }
            let opened = try openSigned(request, .activationGeneric, in: &turn)
            let sender = try authenticate(
                request, uriID: "/pa/activation/rename", types: [.possessionKnowledge, .possessionBiometry],
                body: opened.plaintext, in: &turn
            ).orRefuse()
            guard let name = Self.object(opened.plaintext)?["activationName"]?.string, 1...255 ~= name.count
            else {
                throw MobileRefusal(.activation, "The member activationName must be 1 to 255 characters.")
            }
            let renamed = try rename(sender.activation, to: name, by: nil, in: &turn)
            return try sealed(Self.detail(of: renamed), answering: opened)
        }
    }

    /// The plaintext of an encrypted request as an object; nil when it is none.
    static func object(_ plaintext: [UInt8]) -> [String: JSONValue]? {
        // Whatever is malformed is a missing member to the endpoints, and each says so in its own words.
        (try? JSONValue(parsing: plaintext))?.object
    }

    /// Opens a request whose authorization header names its keys. One that cannot be read, or whose activation is not active, is not
    /// authenticated rather than not decrypted.
    func openSigned(
        _ request: Request, _ purpose: EnvelopePurpose, refusingAs kind: MobileRefusal.Kind = .encryption,
        in turn: inout Turn
    ) throws -> OpenedEnvelope {
        guard let text = request.headers[AuthorizationHeader.name] else {
            throw MobileRefusal(
                .signatureInvalid, because: AuthenticationRefusal(.headerMissing(AuthorizationHeader.name)))
        }
        do {
            _ = try AuthorizationHeader(text)
        } catch let refusal as HeaderRefusal {
            throw MobileRefusal(.signatureInvalid, because: refusal)
        }
        return try open(request, purpose, refusingAs: kind, in: &turn)
    }
}
