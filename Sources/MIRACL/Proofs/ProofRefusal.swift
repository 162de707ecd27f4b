import Essentials
import HTTP

/// Refusals of the two passes and of what follows them.
///
/// Source: Milagro MFA SDK core and Milagro MFA server for statuses; trust-sdk-android and client-js 8 for codes.
struct ProofRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String
}

extension ProofRefusal {
    // MARK: - First pass

    static func identityUnknown(_ mpinID: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "EXPIRED_MPINID", "The identity has expired"),
            explanation: mpinID.mpinIDFault
                ?? "No identity has the M-Pin id \(mpinID.prefix(24))…: the server was reset since the phone registered, or it is "
                + "another world. block_unknown_identities in the project's fixtures makes apps register again."
        )
    }

    static func identityExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "EXPIRED_MPINID", "The identity has expired"),
            explanation: "The identity expired at \(at.text).")
    }

    static func identityWithoutSecrets(_ state: Identity.State) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "EXPIRED_MPINID", "The identity has expired"),
            explanation:
                "The identity is \(state.rawValue): it was never given its secrets, so no proof of it can be right."
        )
    }

    static func publicKeyOther(hasOne: Bool, sentOne: Bool) -> Self {
        let explanation =
            switch (hasOne, sentOne) {
            case (true, true): "The public key is not the one that the identity was registered with."
            case (true, false): "The identity has a key pair, and the request brings no publicKey."
            case (false, _):
                "The identity was registered without a key pair, and the request brings a publicKey."
            }
        return Self(wire: MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden"), explanation: explanation)
    }

    static var publicKeyReplaced: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden"),
            explanation:
                "The public key is the one that the identity had before its renewal; a proof with the new one has ended it."
        )
    }

    static func pointMalformed(_ name: String, _ error: MPinError) -> Self {
        Self(
            wire: .parameter(name),
            explanation: "\(name): \(error.explanation)")
    }

    static var permitMissing: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden"),
            explanation:
                "time_permits of the project is on, and a client of the first generation (no scope) brought no UT: it has to fetch "
                + "its time permit of the day first.")
    }

    // MARK: - Second pass

    static func passIncomplete(_ name: String) -> Self {
        Self(
            wire: MIRACLWire(
                .forbidden, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name]),
            explanation: "The second pass lacks the member “\(name)”.")
    }

    static var passMissing: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "No first pass"),
            explanation:
                "No first pass of this identity is pending. Each serves one second pass, and a new one replaces the one before."
        )
    }

    static func passExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "No first pass"),
            explanation:
                "The first pass expired at \(at.text); lifetimes.pass of the project's fixtures says how long it lives."
        )
    }

    // MARK: - authenticate

    static var authOTTUnknown: Self {
        Self(
            wire: MIRACLWire(.requestTimeout, "REQUEST_EXPIRED", "The request has expired"),
            explanation:
                "The authOTT is not one that a second pass was answered with, or it was used already.")
    }

    static func authOTTExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.requestTimeout, "REQUEST_EXPIRED", "The request has expired"),
            explanation:
                "The authOTT expired at \(at.text); lifetimes.proof of the project's fixtures says how long it lives."
        )
    }

    static func pinWrong(attemptsLeft left: Int, fault: String) -> Self {
        Self(
            wire: MIRACLWire(
                .unauthorized, "UNSUCCESSFUL_AUTHENTICATION", "The authentication was not successful"),
            explanation:
                "\(fault) \(left == 1 ? "One attempt is" : "\(left) attempts are") left; a right PIN gives all of them back."
        )
    }

    static func lastPINWrong(limit: Int, fault: String) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "\(fault) It was number \(limit) in a row, so the identity is blocked now; other devices of the user are not. "
                + "The console unblocks it.")
    }

    static func blocked(userID: String) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "The identity of \(userID) on this device is blocked after too many wrong PINs; the console unblocks it."
        )
    }

    static func revoked(userID: String) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "The identity of \(userID) on this device is revoked; the user has to register again."
        )
    }

    /// Another identity took its place.
    static func succeeded(userID: String) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "The identity of \(userID) on this device is over: another one replaced it at its renewal and has been used since."
        )
    }

    static var unknownTreatedAsBlocked: Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "No identity has this M-Pin id; block_unknown_identities answers as if it were blocked, so that the app registers "
                + "anew.")
    }

    static func sessionGone(_ wid: String) -> Self {
        Self(
            wire: MIRACLWire(.preconditionFailed, "INVALID_AUTH_SESSION", "Invalid or expired session"),
            explanation:
                "WID \(wid.prefix(40)) names no access session that is open: it is unknown, expired, aborted, or was used already. "
                + "No attempt is counted.")
    }

    static func applicationForeign(_ clientID: String, userID: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden"),
            explanation:
                "allowed_users of the application “\(clientID)” names neither \(userID) nor the domain.")
    }

    static var applicationUnknown: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden"),
            explanation:
                "A proof without an access session gets an authorization code of the client in X-MIRACL-Client-ID; the project has "
                + "none of that name, or several and the request names none.")
    }

    static var mastersChanged: Self {
        Self(
            wire: MIRACLWire(.conflict, "EXPIRED_MPINID", "The client secret has expired"),
            explanation:
                "The identity's secrets were made of other master shares than the project has now (dtas differ): the user has to "
                + "register again.")
    }

    /// The same for a client that cannot be renewed.
    static func secretExpired(isReplaced: Bool) -> Self {
        Self(
            wire: MIRACLWire(.conflict, "CLIENT_SECRET_EXPIRED", "The client secret has expired"),
            explanation: (isReplaced
                ? "The phone has secrets of the previous master shares."
                : "A renewal of the identity was asked for.")
                + " A client without a scope cannot be given new ones: the user has to register again.")
    }

    static var codesOff: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden"),
            explanation:
                "enable_registration_code of the project is false: devices give out no registration codes.")
    }

    static var codesLimited: Self {
        Self(
            wire: MIRACLWire(
                .forbidden, "LIMITED_QUICKCODE_GENERATION",
                "Generating a code is not allowed for this identity"),
            explanation:
                "This device was itself registered with a code, and limit_reg_code_verified of the project lets such devices give "
                + "out none.")
    }
}
