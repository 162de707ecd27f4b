import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /pa/v4/activation/confirm`: the device has its PIN (`/pa/activation/confirm`, possession and knowledge), before the commit
    /// or after it.
    ///
    /// - Request: `{"requestObject":{"enableBiometry"}}`; false when the member is left out.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`, 401 `POWER_AUTH_CODE_TYPE_INVALID`; `ERR_VALIDATION` for a body that cannot be read, whose
    ///   code is used up by then.
    /// - Source: PowerAuth documentation 2.x, “Activation confirmation”; *assumed* is that it may come twice.
    func confirmActivation4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate4(
                request, uriID: "/pa/activation/confirm", types: [.possessionKnowledge],
                states: [.pendingCommit, .active], in: turn
            ) { sender in
                guard var secrets = try sender.activation.secrets(in: turn.db) else {
                    throw MobileRefusal(
                        .activation, "The activation \(sender.activation.id) has no keys of protocol 4.")
                }
                let enablesBiometry = try Members(plain: request).optionalBoolean("enableBiometry") ?? false
                secrets.isConfirmed = true
                if enablesBiometry, secrets.biometryKey == nil {
                    secrets.biometryKey = Base64Bytes(try secrets.keys.factor(.biometry))
                }
                try turn.update(secrets)
            }
        }
        return .powerAuth()
    }

    /// `POST`, `GET`, `PUT` or `DELETE /pa/v4/auth/validate`: checks a code (`/pa/auth/validate`) and nothing else; the SDK checks a PIN
    /// with it and lets the server catch up with its counter.
    ///
    /// - Request: anything; the code covers the body as it came, or of GET the canonical query.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`.
    /// - Source: API list of the vendor's RESTful integration 2.x.
    func validateCode4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate4(request, uriID: "/pa/auth/validate", types: .anyOf4, in: turn) { _ in }
        }
        return .powerAuth()
    }

    /// `POST /pa/v4/activation/remove`: `/pa/activation/remove`, two factors.
    ///
    /// - Request: anything; the code covers it.
    /// - Response: `200 {"status":"OK","responseObject":{"activationId"}}`.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`, 401 `POWER_AUTH_CODE_TYPE_INVALID` for possession alone.
    /// - Source: API list of the vendor's RESTful integration 2.x.
    func removeActivation4(_ request: Request) throws -> Response {
        let removed = try change { turn in
            try authenticate4(request, uriID: "/pa/activation/remove", in: turn) {
                try activations.remove($0.activation, by: nil, revokingRecoveryCodes: false, in: turn)
            }
        }
        return .powerAuth(responseObject: ["activationId": .string(removed.id)])
    }

    /// `POST /pa/v4/activation/detail`: the name of the activation; asks for a MAC token that was made with two factors.
    ///
    /// - Request: `{}` or nothing, encrypted for the activation.
    /// - Response: `200`, encrypted `{"status":"OK","responseObject":{"activationId","activationName"},"activationId",
    ///   "activationName"}`: the SDK reads the members at the top.
    /// - Errors: 401 `POWER_AUTH_TOKEN_INVALID`, `ERR_ENCRYPTION`, `ERR_ACTIVATION`.
    /// - Source: API list of the vendor's RESTful integration 2.x; the two places are *assumed*.
    func activationDetail4(_ request: Request) throws -> Response {
        try change { turn in
            try authentication.authenticateByToken(
                request, types: .twoFactorsOf4, in: turn,
                else: { MobileRefusal(.tokenInvalid, because: $0) }
            ) { sender in
                try aeadEncryption.open(request, .activationGeneric, in: turn) { opened in
                    guard opened.holder?.activation.id == sender.activation.id else {
                        throw MobileRefusal(
                            .activation, "The token belongs to another activation than the encryption.")
                    }
                    return try aeadEncryption.sealed(Self.detail4(of: sender.activation), answering: opened)
                }
            }
        }
    }

    /// `POST /pa/v4/activation/rename`: `/pa/activation/rename`, two factors, the code over what was encrypted.
    ///
    /// - Request: `{"activationName"}`, 1 to 255 characters, encrypted for the activation.
    /// - Response: as of the detail.
    /// - Errors: `ERR_ENCRYPTION`, 401 `POWER_AUTH_CODE_INVALID`, `ERR_ACTIVATION` for the name.
    /// - Source: API list of the vendor's RESTful integration 2.x.
    func renameActivation4(_ request: Request) throws -> Response {
        try change { turn in
            // One that cannot be read is not authenticated rather than not decrypted.
            do {
                _ = try AuthorizationHeader(of: request)
            } catch let refusal as AuthenticationRefusal {
                throw unauthenticated4(refusal)
            }
            return try aeadEncryption.open(request, .activationGeneric, in: turn) { opened in
                try authenticate4(
                    request, uriID: "/pa/activation/rename", covering: opened.plaintext,
                    knowing: opened.holder?.activation, in: turn
                ) { sender in
                    guard let name = opened.object?["activationName"]?.string, 1...255 ~= name.count else {
                        throw MobileRefusal(
                            .activation, "The member activationName must be 1 to 255 characters.")
                    }
                    let renamed = try activations.rename(sender.activation, to: name, by: nil, in: turn)
                    return try aeadEncryption.sealed(Self.detail4(of: renamed), answering: opened)
                }
            }
        }
    }

    private static func detail4(of activation: Activation) -> JSONValue {
        let members = detail(of: activation)
        return .object((members.object ?? [:]).merging(members["responseObject"]?.object ?? [:]) { $1 })
    }

    /// `POST /pa/v4/user/info`: what there is to tell about the user.
    ///
    /// - Request: `{}` or nothing, encrypted for the activation.
    /// - Response: `200`, encrypted OpenID Connect claims; `sub`, `iat` in seconds and `jti` alone when nothing is known.
    /// - Errors: `ERR_ENCRYPTION`; `ERR_USER_INFO` for a plaintext that is no object.
    /// - Source: PowerAuth documentation, “User info”; OpenID Connect Core §5.1.
    func showUserInfo4(_ request: Request) throws -> Response {
        try change { turn in
            try aeadEncryption.open(request, .activationGeneric, in: turn) { opened in
                guard opened.object != nil, let holder = opened.holder else {
                    throw MobileRefusal(.userInfo, "The decrypted request is not a JSON object.")
                }
                let claims = try UserClaims.told(of: holder.activation.user, services.entropy, in: turn)
                return try aeadEncryption.sealed(.object(claims), answering: opened)
            }
        }
    }
}
