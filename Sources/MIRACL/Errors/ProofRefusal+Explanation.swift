import Essentials

extension ProofRefusal {
    var explanation: String {
        switch self {
        case .identityUnknown, .identityExpired, .identityWithoutSecrets, .publicKeyOther, .publicKeyReplaced,
            .pointMalformed, .permitMissing:
            firstPassExplanation
        case .passIncomplete, .passMissing, .passExpired, .authOTTUnknown, .authOTTExpired:
            secondPassExplanation
        default: verdictExplanation
        }
    }

    private var firstPassExplanation: String {
        switch self {
        case .identityUnknown(let mpinID):
            mpinID.mpinIDFault
                ?? "No identity has the M-Pin id \(mpinID.prefix(24))…: the server was reset since the phone registered, or it is "
                + "another world. block_unknown_identities in the project's fixtures makes apps register anew."
        case .identityExpired(let at): "The identity expired at \(at.text)."
        case .identityWithoutSecrets(let state):
            "The identity is \(state.rawValue): it was never given its secrets, so no proof of it can be right."
        case .publicKeyOther(let hasOne, let sentOne):
            switch (hasOne, sentOne) {
            case (true, true): "The public key is not the one that the identity was registered with."
            case (true, false): "The identity has a key pair, and the request brings no publicKey."
            case (false, _):
                "The identity was registered without a key pair, and the request brings a publicKey."
            }
        case .publicKeyReplaced:
            "The public key is the one that the identity had before its renewal; a proof with the new one has ended it."
        case .pointMalformed(let name, let error): "\(name): \(error.explanation)"
        case .permitMissing:
            "time_permits of the project is on, and a client of the first generation (no scope) brought no UT: it has to fetch "
                + "its time permit of the day first."
        default: ""
        }
    }

    private var secondPassExplanation: String {
        switch self {
        case .passIncomplete(let name): "The second pass lacks the member \"\(name)\"."
        case .passMissing:
            "No first pass of this identity is pending. Each serves one second pass, and a new one replaces the one before."
        case .passExpired(let at):
            "The first pass expired at \(at.text); lifetimes.pass of the project's fixtures says how long it lives."
        case .authOTTUnknown:
            "The authOTT is not one that a second pass was answered with, or it was used already."
        case .authOTTExpired(let at):
            "The authOTT expired at \(at.text); lifetimes.proof of the project's fixtures says how long it lives."
        default: ""
        }
    }

    private var verdictExplanation: String {
        switch self {
        case .pinWrong(let left, let fault):
            "\(fault) \(left == 1 ? "One attempt is" : "\(left) attempts are") left; a right PIN gives all of them back."
        case .lastPINWrong(let limit, let fault):
            "\(fault) It was number \(limit) in a row, so the identity is blocked now; other devices of the user are not. "
                + "The console unblocks it."
        case .blocked(let userID):
            "The identity of \(userID) on this device is blocked after too many wrong PINs; the console unblocks it."
        case .revoked(let userID):
            "The identity of \(userID) on this device is revoked; the user has to register anew."
        case .succeeded(let userID):
            "The identity of \(userID) on this device is over: another one took its place at its renewal, and has proved itself since."
        case .unknownTreatedAsBlocked:
            "No identity has this M-Pin id; block_unknown_identities answers as if it were blocked, so that the app registers "
                + "anew."
        case .sessionGone(let wid):
            "WID \(wid.prefix(40)) names no access session that is open: it is unknown, expired, aborted, or was used already. "
                + "No attempt is counted."
        case .applicationForeign(let clientID, let userID):
            "allowed_users of the application \"\(clientID)\" names neither \(userID) nor the domain."
        case .applicationUnknown:
            "A proof without an access session gets an authorization code of the client in X-MIRACL-Client-ID; the project has "
                + "none of that name, or several and the request names none."
        case .mastersChanged:
            "The identity's secrets were made of other master shares than the project has now (dtas differ): the user has to "
                + "register anew."
        case .secretExpired(let isReplaced):
            (isReplaced
                ? "The phone has secrets of the previous master shares."
                : "A renewal of the identity was asked for.")
                + " A client without a scope cannot be given new ones: the user has to register anew."
        case .codesOff:
            "enable_registration_code of the project is false: devices give out no registration codes."
        case .codesLimited:
            "This device was itself registered with a code, and limit_reg_code_verified of the project lets such devices give "
                + "out none."
        default: ""
        }
    }
}
