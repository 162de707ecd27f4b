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

    /// Uses up what lets a user register without a mail, in the caller's transaction.
    ///
    /// A wrong one of six digits is counted against those that the user has.
    ///
    /// - Parameter kinds: which codes will do.
    func redeem(
        _ text: String, _ kinds: [OneTimeCode.Kind], of userID: String, in project: Project, _ db: Connection
    ) throws -> Result<OneTimeCode, CodeRefused> {
        let now = now
        guard let code = try codes.find(kinds, text, of: userID, in: project.id, db) else {
            let other = try codes.find(kinds, text, in: project.id, db)
            try codes.noteFailure(kinds, of: userID, in: project.id, at: now, db)
            return .failure(CodeRefused(fault: other.map { .ofAnother($0.userID) } ?? .unknown))
        }
        guard code.spentAt == nil else { return .failure(CodeRefused(fault: .spent)) }
        guard code.expiresAt > now else { return .failure(CodeRefused(fault: .expired(code.expiresAt))) }
        try codes.spend(code, at: now, in: db)
        return .success(code)
    }
}

/// Why a code is not good.
struct CodeRefused: Error, Equatable {
    let fault: RegistrationRefusal.CodeFault
}
