import Essentials

extension SignatureRefusal {
    var explanation: String {
        switch self {
        case .registerToken(let fault): "The dvsRegisterToken is not good: \(fault.words)"
        case .pointMalformed(let name, let error): "The member \"\(name)\": \(error.explanation)"
        case .typeUnknown(let type):
            "The type is \"\(type.prefix(40))\"; \"verification\" is the one that there is."
        case .timestampMalformed(let number):
            "The timestamp is \(number), expected seconds since 1970 as an unsigned number of 32 bits."
                + (number > UInt32.max ? " These may be milliseconds." : "")
        case .timestampAhead(let seconds):
            "The signature is said to be made \(seconds) s from now by this world's clock; a minute ahead is accepted."
        case .identityUnknown(let id):
            id.mpinIDFault
                ?? "No identity has the M-Pin id \(id.prefix(24))…. The server was reset since, or this is another world."
        case .identityForeign(let named, let own):
            "The identity belongs to the project \"\(named)\", and who asks to \"\(own)\"."
        case .identityWithoutSecrets(let state):
            "The identity is \(state.rawValue): it has no secrets yet, so nobody can have signed with it."
        case .identityOver(let state):
            "The identity is \(state.rawValue)\(state == .blocked ? " by wrong PINs" : ""): its signatures are not valid any more."
        case .identityExpired(let at): "The identity expired at \(at.text)."
        case .identityWithoutKey:
            "The identity has no key pair: documents are signed by the identity that dvsregister made, or by one of the third "
                + "generation, not by one that only signs in."
        case .publicKeyOther(let isSent):
            isSent
                ? "The publicKey is not the one that the identity was registered with."
                : "The identity has a key pair, and the signature brings no publicKey."
        case .publicKeyReplaced(let at):
            "The publicKey is the one that the identity had before its renewal: it is good for signatures until \(at.text)."
        case .wrong(let sentence), .sessionSignature(let sentence): sentence
        case .sessionUnknown(let id):
            "No signing session has the id \"\(id.prefix(40))\". It is what stands behind # in the QR code."
        case .sessionOver(let state): "The signing session is over: its status is \(state.rawValue)."
        case .sessionExpired(let at):
            "The signing session expired at \(at.text); lifetimes.session of the project's fixtures says how long one lives."
        }
    }
}
