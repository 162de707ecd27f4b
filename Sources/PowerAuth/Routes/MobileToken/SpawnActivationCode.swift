import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /api/activation/code`: an app that is registered asks for the registration of another one of the same house.
    ///
    /// - Request: encrypted for the activation, and signed by two factors for `/api/activation/code`, the code over what was
    ///   encrypted: `{"applicationId", "otp"}`, bare or in `requestObject`; the OTP of 16 characters or more is asked for in the key
    ///   exchange.
    /// - Response: `200`, encrypted envelope with `{"activationId", "activationCode", "activationSignature"}`.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`; 400 `ACTIVATION_CODE_FAILED`, `INVALID_REQUEST`, and those of encryption.
    /// - Source: Mobile Token documentation, “Activation spawn”.
    func spawnActivationCode(_ request: Request) throws -> Response {
        try change { turn in
            // The keys of the encryption are named in it, but it is the authentication that fails without it.
            do {
                _ = try AuthorizationHeader(of: request)
            } catch let refusal as AuthenticationRefusal {
                throw TokenAPIRefusal(.authenticationFailed, because: refusal)
            }
            return try open(request, .activation, in: turn) { opened in
                try withDevice(
                    request, signing: "/api/activation/code", covering: opened.plaintext,
                    knowing: opened.activation, in: turn
                ) { device in
                    let input = try Members(decrypted: opened.plaintext)
                    let answer = try spawned(input, by: device, in: turn)
                    return try sealed(
                        ["status": "OK", "responseObject": answer], answering: opened)
                }
            }
        }
    }

    private func spawned(_ input: Members, by device: Authenticated, in turn: Turn) throws -> JSONValue {
        let (application, otp) = (try input.filledText("applicationId"), try input.filledText("otp"))
        guard 16...255 ~= otp.utf8.count else {
            throw TokenAPIRefusal(
                .requestInvalid, "The OTP has \(otp.utf8.count) bytes, expected 16 to 255.")
        }
        guard try Application.find(application, in: turn.db) != nil else {
            throw TokenAPIRefusal(
                .activationCodeFailed, "There is no application “\(application.prefix(60))”.")
        }
        let new = NewActivation(
            user: device.activation.user, application: application, otp: otp, commitPhase: .onKeyExchange)
        let activation = try spawned(new, in: turn)
        guard let code = activation.code,
            let signature = try activations.codeSignature(of: activation, in: turn.db)
        else { throw TokenAPIRefusal(.activationCodeFailed, "The new registration has no code.") }
        return [
            "activationId": .string(activation.id), "activationCode": .string(code),
            "activationSignature": .string(signature),
        ]
    }

    private func spawned(_ new: NewActivation, in turn: Turn) throws -> Activation {
        do {
            return try activations.create(new, in: turn)
        } catch let refusal as ActivationRefusal {
            throw TokenAPIRefusal(.activationCodeFailed, because: refusal)
        }
    }
}
