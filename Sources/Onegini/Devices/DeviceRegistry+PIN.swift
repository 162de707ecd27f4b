import Crypto
import Essentials
import OpenID
import PlatformKit
import SQLite

// Wrong PINs are counted for a device's profile, wherever they come: at the token endpoint as a wrong refresh token, inside the
// answer to a push message, or as themselves in the convenience mode.
extension DeviceRegistry {
    /// What a wrong PIN comes to: it is counted, and the last one allowed takes the profile away.
    ///
    /// - Parameter finding: what could be found out about the value that came, in a sentence.
    func failure(
        of profile: Profile, _ place: PINRefusal.Place, finding: String, in db: Connection
    ) throws -> PINFailure {
        var counted = profile
        counted.failures.increment()
        let failed = counted
        let max = try maxAttempts(on: profile.clientID, in: db)
        guard max > 0, failed.failures >= max else {
            let refusal = PINRefusal.wrong(
                place, profileID: profile.id, used: failed.failures, max: max, finding: finding)
            return PINFailure(refusal: refusal) { try $0.update(failed, .failures) }
        }
        let refusal = PINRefusal.locked(place, profileID: profile.id, max: max, finding: finding)
        return PINFailure(refusal: refusal) { db in
            try remove(
                failed, .locked, because: "It was deregistered after \(max) wrong PINs in a row.", in: db)
            try db.insert(
                Event(
                    .tokenRequestRefreshTokenRetryCountExceeded, clientID: profile.clientID,
                    subject: profile.subject, nil, services))
        }
    }

    /// That `text` is the present refresh token of a profile, which stays as it is: PUSH_WITH_PIN. A wrong one is counted.
    func checkRefreshToken(_ text: String, of profile: Profile, _ turn: Turn) throws {
        let token = try server.refreshTokens.find(Digest.sha256(Array(text.utf8)), in: turn.db)
        let grant = try token.flatMap { try server.grants.find($0.grantID, in: turn.db) }
        if let token, let grant, token.spentAt == nil, token.end == nil, now < token.expiresAt,
            grant.isOf(profile)
        {
            var profile = profile
            profile.failures = 0
            return try turn.update(profile, .failures)
        }
        let finding = text.findingOfRefreshToken(isKnown: token != nil, isOwn: grant?.isOf(profile) ?? false)
        throw try failure(of: profile, .push, finding: finding, in: turn.db).kept(in: turn)
    }

    /// Why a profile that the device names is not there.
    func refusal(ofMissing profileID: String, on clientID: String, in db: Connection) throws -> PINRefusal {
        let stone = try db.tombstone(.profile, of: clientID, profile: profileID, at: now)
        return stone.map { .deregistered(profileID: profileID, because: $0.reason) }
            ?? .profileUnknown(profileID)
    }

    private func maxAttempts(on clientID: String, in db: Connection) throws -> Int {
        guard let device = try db.device(clientID) else { return 0 }
        return try db.application(device.application)?.maxPINAttempts ?? 0
    }
}

/// A wrong PIN: the refusal, and what of it stays.
struct PINFailure {
    let refusal: PINRefusal
    /// Writes it.
    let keep: (Connection) throws -> Void

    /// To be thrown at once.
    func kept(in turn: Turn) -> PINRefusal { turn.kept(refusal) { try keep($0.db) } }
}

extension Grant {
    /// Whether it is of the user on the device.
    func isOf(_ profile: Profile) -> Bool {
        clientID == profile.clientID && context == profile.id && subject == profile.subject
    }
}

extension String {
    /// What a wrong refresh token may be: a sentence.
    func findingOfRefreshToken(isKnown: Bool, isOwn: Bool) -> String {
        if isKnown {
            return isOwn
                ? "The refresh token is an older one of this profile; each login brings a new one, to be masked anew."
                : "The refresh token is one of another profile or another client."
        }
        guard utf8.count == 64, Hex.decode(self) != nil else {
            return "The refresh token is not of 64 hex digits, so it was not unmasked from a stored one."
        }
        return self == uppercased()
            ? "No such refresh token was issued: it looks as one does that was unmasked with a wrong PIN."
            : "No such refresh token was issued; they are written in upper case, and this one has small letters."
    }
}
