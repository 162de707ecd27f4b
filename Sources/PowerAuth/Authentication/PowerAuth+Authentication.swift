import Crypto
import Essentials
import HTTP
import SQLite

/// The checks that every API asks for.
extension PowerAuth {
    /// Reads the value of `X-PowerAuth-Authorization`.
    ///
    /// - Throws: ``HeaderRefusal`` that says which parameter is missing or malformed.
    func authorizationHeader(_ text: String) throws -> AuthorizationHeader { try AuthorizationHeader(text) }

    /// Reads the value of `X-PowerAuth-Token`.
    ///
    /// - Throws: ``HeaderRefusal``.
    func tokenHeader(_ text: String) throws -> TokenHeader { try TokenHeader(text) }

    /// Checks an authentication code and remembers what follows: counter, failed attempts, blocking, use.
    ///
    /// A refusal is a value: the caller ends the transaction before it throws.
    func verify(
        _ header: AuthorizationHeader, over signed: SignedRequest, in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        try verify(
            OnlineCode(
                text: header.signature, type: header.type, version: header.version,
                activationID: header.activationID, applicationKey: header.applicationKey,
                data: .request(signed, nonce: header.nonce)), in: &turn)
    }

    /// The same over data that the caller normalised, all but the application secret: `signature/verify` of the management API.
    func verify(
        _ signature: String, type: SignatureType, version: ProtocolVersion, overNormalized data: [UInt8],
        activation: String, applicationKey: String, in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        try verify(
            OnlineCode(
                text: signature, type: type, version: version, activationID: activation,
                applicationKey: applicationKey, data: .normalized(data)), in: &turn)
    }

    private func verify(_ code: OnlineCode, in turn: inout Turn) throws -> AuthenticationOutcome {
        guard let activation = try Activation.find(code.activationID, in: turn.db) else {
            return AuthenticationOutcome(
                isValid: false, activation: nil, application: nil, type: nil, remainingAttempts: 0,
                failure: .activationUnknown(code.activationID))
        }
        let version = try ApplicationVersion.find(code.applicationKey, in: turn.db)
        guard let version, version.isSupported, version.application == activation.application,
            let application = try Application.find(activation.application, in: turn.db)
        else {
            return try refuse(
                code, of: activation, keyFault(code.applicationKey, version, activation), in: &turn)
        }
        let data = try code.data.normalized(ApplicationSecret(version.secret))
        let format = code.version.mobileProtocol.authenticationCodeFormat
        let search = CodeSearch(
            code: code.text, candidates: [AuthenticationCode.Candidate(code.type, data)], format: format,
            uriID: code.data.uriID)
        return try verify(search, of: activation, application, in: &turn) {
            code.data.parts(secret: version.secret).map { [$0] } ?? []
        }
    }

    private func keyFault(
        _ key: String, _ version: ApplicationVersion?, _ activation: Activation
    ) -> AuthenticationFailure.ApplicationKeyFault {
        guard let version else { return .unknown(key) }
        return version.application == activation.application
            ? .unsupported(version: version.name)
            : .foreign(application: version.application, expected: activation.application)
    }
}
