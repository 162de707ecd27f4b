import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/activation/rename`: signed first (`/pa/activation/rename`, two factors), then encrypted.
    ///
    /// - Request: `{"activationName"}`, 1 to 255 characters, encrypted for the activation.
    /// - Response: `200`, encrypted `{"status":"OK","responseObject":{"activationId","activationName"}}`.
    /// - Errors: `ERR_ENCRYPTION`, 401 `POWER_AUTH_SIGNATURE_INVALID`, `ERR_ACTIVATION` for the name.
    /// - Source: PowerAuth documentation, “Standard RESTful API”; *assumed* is that the code covers the plaintext.
    func renameActivation(_ request: Request) throws -> Response {
        try change { turn in
            // One that cannot be read is not authenticated rather than not decrypted.
            _ = try authorizationHeader(of: request, in: turn)
            return try encryption.open(request, .activationGeneric, in: turn) { opened in
                try authenticate(
                    request, uriID: "/pa/activation/rename",
                    types: [.possessionKnowledge, .possessionBiometry], covering: opened.plaintext,
                    knowing: opened.activation, in: turn
                ) { sender in
                    guard let name = opened.object?["activationName"]?.string,
                        1...255 ~= name.count
                    else {
                        throw MobileRefusal(
                            .activation, "The member activationName must be 1 to 255 characters.")
                    }
                    let renamed = try activations.rename(sender.activation, to: name, by: nil, in: turn)
                    return try encryption.sealed(Self.detail(of: renamed), answering: opened)
                }
            }
        }
    }
}
