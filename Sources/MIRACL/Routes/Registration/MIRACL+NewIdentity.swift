import Crypto
import Essentials
import PlatformKit
import SQLite

extension MIRACL {
    /// An identity that is not stored yet, with an M-Pin id of its own.
    func makeIdentity(
        of userID: String, in project: Project, deviceName: String?,
        purpose: Identity.Purpose = .authentication,
        state: Identity.State, origin: Identity.Origin?
    ) throws -> Identity {
        let now = now
        return Identity(
            mpinID: makeMPinID(userID, project, purpose, at: now), projectID: project.id, userID: userID,
            deviceName: deviceName ?? "", purpose: purpose, state: state, origin: origin,
            regOTT: token(for: "reg_ott"), registrationExpiresAt: time(in: project.registrationSeconds),
            dtas: try project.dtas(), createdAt: now,
            expiresAt: project.lifetimes?.identity.map { now.addingTimeInterval(Double($0)) })
    }

    /// Source: the vendor's documentation of its back end API shows one; clients take it as it is, but for `userID`.
    private func makeMPinID(
        _ userID: String, _ project: Project, _ purpose: Identity.Purpose, at now: Date
    ) -> String {
        let id: JSONValue = [
            "iat": .integer(now.unixSeconds), "userID": .string(userID), "cID": .string(project.id),
            "salt": .string(Base64URL.encode(services.entropy.bytes(16, "miracl.salt"))), "v": 5,
            "scope": [.string(purpose.rawValue)], "dta": [],
            "vt": .string(purpose == .signing ? "dvs" : "pv"),
        ]
        return Hex.encode(id.bytes)
    }

    /// Uses up what lets a user register without a mail.
    ///
    /// - Parameters:
    ///   - kinds: which codes will do.
    ///   - refused: what the client hears of a code that is not good; a wrong one of six digits is counted against those that the
    ///     user has.
    func redeem(
        _ text: String, _ kinds: [OneTimeCode.Kind], of userID: String, in project: Project, _ turn: Turn,
        or refused: (RegistrationRefusal.CodeFault) -> RegistrationRefusal
    ) throws -> OneTimeCode {
        guard let code = try OneTimeCode.find(kinds, text, of: userID, in: project.id, turn.db) else {
            let other = try OneTimeCode.find(kinds, text, in: project.id, turn.db)
            throw turn.kept(refused(other.map { .ofAnother($0.userID) } ?? .unknown)) { turn in
                try OneTimeCode.noteFailure(kinds, of: userID, in: project.id, turn)
            }
        }
        if let fault = code.fault(at: turn.now) { throw refused(fault) }
        try code.spend(in: turn)
        return code
    }
}
