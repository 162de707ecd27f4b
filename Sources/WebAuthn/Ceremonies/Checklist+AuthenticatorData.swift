import Crypto

extension Checklist {
    func authenticatorData(_ bytes: [UInt8], step: Int) throws(WebAuthnRefusal) -> AuthenticatorData {
        do {
            return try AuthenticatorData(bytes)
        } catch {
            let check: WebAuthnCheck = error.part == .publicKey ? .publicKey : .authenticatorData
            throw refusal(check, step: step, expected: error.expected, got: error.got)
        }
    }

    /// RP ID hash, user presence, user verification, and backup flags that agree: numbered one after the other from `first` on in
    /// both ceremonies.
    mutating func flags(
        _ data: AuthenticatorData, _ relyingParty: RelyingParty, origin: String, presence: Bool,
        verification: UserVerification, from first: Int
    ) throws(WebAuthnRefusal) {
        try check(data.rpIDHash, relyingParty, origin, step: first)
        try require(
            !presence || data.flags.contains(.userPresent), .userPresence, step: first + 1,
            expected: "the flag UP", got: "\(data.flags)")
        try require(
            verification != .required || data.flags.contains(.userVerified), .userVerification,
            step: first + 2,
            expected: "the flag UV, because user verification is required", got: "\(data.flags)")
        try require(
            data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp), .backupState,
            step: first + 3, expected: "BS only with BE", got: "\(data.flags)")
    }

    private mutating func check(
        _ hash: [UInt8], _ relyingParty: RelyingParty, _ origin: String, step: Int
    ) throws(WebAuthnRefusal) {
        if constantTimeEqual(hash, relyingParty.idHash) { return }
        // §10.1.1: with the extension `appid` the hash may be that of the AppID.
        if ceremony == .authentication, let appID = relyingParty.appID,
            constantTimeEqual(hash, Digest.sha256(Array(appID.utf8)))
        {
            return
        }
        let other = RelyingParty.id(of: hash, at: origin)
        throw refusal(
            .relyingPartyHash, step: step,
            expected: "\(Hex.encode(relyingParty.idHash)), the hash of “\(relyingParty.id)”",
            got: Hex.encode(hash) + (other.map { ", the hash of “\($0)”" } ?? ""),
            fixture: other.map { "\"id\": \"\($0)\"" }, finding: relyingParty.obstacle(at: origin))
    }
}
