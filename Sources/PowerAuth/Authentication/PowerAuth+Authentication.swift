import Essentials
import HTTP
import SQLite

/// The checks that every API asks for, and what requests of the mobile APIs have to prove.
extension PowerAuth {
    static let authenticationMigrations: [SQL] = []

    /// Reads the value of `X-PowerAuth-Authorization`.
    ///
    /// - Throws: ``HeaderRefusal`` that says which parameter is missing or malformed.
    func authorizationHeader(_ text: String) throws -> AuthorizationHeader { throw NotBuilt("header") }

    /// Reads the value of `X-PowerAuth-Token`.
    func tokenHeader(_ text: String) throws -> TokenHeader { throw NotBuilt("header") }

    /// Checks an authentication code and remembers what follows: counter, failed attempts, blocking, use.
    ///
    /// A refusal is a value: the caller ends the transaction before it throws.
    func verify(
        _ header: AuthorizationHeader, over signed: SignedRequest, in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        throw NotBuilt("verify")
    }

    /// The same over data that the caller normalised: `signature/verify` of the management API.
    func verify(
        _ signature: String, type: SignatureType, version: ProtocolVersion, overNormalized data: [UInt8],
        activation: String, applicationKey: String, in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        throw NotBuilt("verify")
    }

    /// Checks an offline code of two factors over each of `bodies` (one per permitted proximity OTP; one without).
    ///
    /// - Parameters:
    ///   - bodies: `operationId&operationData` and its kin.
    ///   - types: tried in this order; the first is told when none fits.
    func verifyOffline(
        _ code: String, nonce: String, bodies: [[UInt8]], types: [SignatureType], activation: Activation,
        in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        throw NotBuilt("verifyOffline")
    }

    /// Checks a MAC token header: window of time, replay, digest. It counts nothing but remembers the nonce.
    ///
    /// - Returns: an outcome, or a refusal for a time outside the window or a header that came before; these are errors, not
    ///   invalid tokens.
    func verify(_ header: TokenHeader, in turn: inout Turn) throws -> Result<
        AuthenticationOutcome, TokenRefusal
    > {
        throw NotBuilt("verify")
    }
}
