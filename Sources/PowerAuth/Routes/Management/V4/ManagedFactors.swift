import Crypto
import Essentials
import HTTP
import PlatformKit
import PostQuantum
import SQLite

/// What version 4 has of its own. Source of all: documentation of the PowerAuth Server 2.x, “Web Services – Methods V4”.
extension PowerAuth {
    /// `POST /rest/v4/activation/confirm`: the device has its PIN, says the server that has checked its code.
    ///
    /// - Request: `{"activationId", "enableBiometry"?}`.
    /// - Response: an empty object.
    /// - Errors: `ERR0008` unless it waits for its commit or is active, `ERR0009`, `ERR0024`.
    func confirmManagedActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (id, biometry) = (
            try input.text("activationId"), try input.optionalBoolean("enableBiometry") ?? false
        )
        try input.check()
        return try changeSecrets(of: id, in: [.pendingCommit, .active]) { secrets in
            secrets.isConfirmed = true
            if biometry, secrets.biometryKey == nil {
                secrets.biometryKey = Base64Bytes(try secrets.keys.factor(.biometry))
            }
        }
    }

    /// `POST /rest/v4/biometry/remove`: no code of biometry is right from now on.
    ///
    /// - Request: `{"activationId"}`.
    /// - Response: an empty object.
    /// - Errors: `ERR0008` unless it is active, `ERR0009`, `ERR0024`.
    func removeManagedBiometry(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        try input.check()
        return try changeSecrets(of: id, in: [.active]) { secrets in
            (secrets.biometryKey, secrets.nextBiometryKey) = (nil, nil)
        }
    }

    private func changeSecrets(
        of id: String, in states: Set<Activation.State>, _ body: (inout ActivationSecrets) throws -> Void
    ) throws -> Response {
        try change { turn in
            let activation = try requireActivation(id, in: turn)
            guard states.contains(activation.state) else {
                throw ManagementRefusal(.wrongState(activation.state, wanted: "one with a device"))
            }
            guard var secrets = try activation.secrets(in: turn.db) else {
                throw ManagementRefusal(
                    .invalidRequest,
                    "The activation \(id) speaks protocol \(activation.generation ?? 3), not 4.")
            }
            try body(&secrets)
            try turn.update(secrets)
            return .management([:])
        }
    }

    /// `POST /rest/v4/password/change`: another key of knowledge, for a device whose code the caller had verified.
    ///
    /// - Request: `{"activationId", "applicationKey", "protocolVersion"}` and the members of a request for a shared secret, encrypted for
    ///   the activation (`/pa/password/change`).
    /// - Response: encrypted `{"salt","encapsulatedKeys"}`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0045`, `ERR0047`.
    func changeManagedPassword(_ request: Request) throws -> Response {
        try exchangeManaged(.password, request)
    }

    /// `POST /rest/v4/biometry/add`: a key of biometry, for a device whose code the caller had verified.
    ///
    /// - Request: as `password/change`, encrypted for `/pa/biometry/add`.
    /// - Response: as `password/change`.
    /// - Errors: as `password/change`.
    func addManagedBiometry(_ request: Request) throws -> Response {
        try exchangeManaged(.biometry, request)
    }

    private func exchangeManaged(_ factor: ExchangedFactor, _ request: Request) throws -> Response {
        let input = try managementInput(request)
        let message = try EnclosedMessage(input, .activation)
        try input.check()
        return try enclosed { turn in
            try aeadEncryption.open(message, factor.purpose, in: turn) { opened in
                try aeadEncryption.enclosed(exchange(factor, opened, in: turn), answering: opened)
            }
        }
    }

    /// `POST /rest/v4/keystore/create`: a secret for the encrypted requests of the next minutes.
    ///
    /// - Request: `{"jwt"}`, as a device sends it to `/pa/v4/keystore/create`.
    /// - Response: `jwt`, for the device.
    /// - Errors: `ERR0024`; `ERR0046` for a suite that the application does not take; `ERR0045` for everything else about the token.
    func makeTemporarySecret(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let token = try input.text("jwt", 1...16_384)
        try input.check()
        let answer = try enclosed { try TemporarySecrets(world: world).grant(token, in: $0) }
        return .management(["jwt": .string(answer.text)])
    }
}
