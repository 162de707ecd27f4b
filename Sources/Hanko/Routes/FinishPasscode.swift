import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `POST /passcode/login/finalize`: trades a mailed code for a session, and confirms the address where it was not.
    ///
    /// - Request: `{"id": uuid, "code": "394857"}`, the code as text. A session must come with it to add an address.
    /// - Response: `200 {"id": uuid, "ttl": 300, "created_at": time}` and the session.
    /// - Errors: 404 while MFA is on; 400; 401 for an unknown passcode and for the first two wrong codes, 410 for the third;
    ///   408 after the passcode's time, even for the right code; 403 when the code is right and its address or session is not.
    /// - Source: Hanko 2.7, classic API.
    func finishPasscode(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasscodes(configuration)
        let input = try request.members(
            hint: "The code is text, since a number would lose its leading zeros.")
        var check = Validation()
        let id = check.required("id", try input.optionalText("id"), .uuid4)
        let code = check.required("code", try input.optionalText("code"))
        try check.finish()
        let signedInAs = try sessionReader(request).userID(of: request)
        let (announcer, opening) = (try announcer(request), newSession(request, configuration))
        let redemption = try world.change { turn in
            let userID = try turn.db.passcode(id)?.userID
            return try announcer.auditing(.passcodeFinalFailed, userID: userID, in: turn) {
                let redemption = try redeem(
                    id, code: code, signedInAs: signedInAs, opening: opening, in: turn)
                try announcer.tell(redemption, in: turn)
                return redemption
            }
        }
        var response = Response.hanko(json: PasscodeOutput(redemption.passcode).json)
        try hand(redemption.session, to: &response, configuration)
        return response
    }

    /// Uses up the passcode when `code` is right: the address is confirmed where it was not, and a session is opened.
    /// Counts the try when the code is wrong.
    ///
    /// - Parameter signedInAs: the user whose session the request carries.
    private func redeem(
        _ id: String, code: String, signedInAs: String?, opening: NewSession, in turn: Turn
    ) throws -> Redemption {
        guard let passcode = try turn.db.passcode(id), let email = try turn.db.email(passcode.emailID)
        else { throw HankoRefusal.passcodeUnknown(id, world: turn.worldElsewhere(of: id)) }
        turn.concern(passcode.subjects)
        try Self.check(code, of: passcode, in: turn)
        let others = try turn.db.emails(of: passcode.userID)
        let claim = PasscodeClaim(
            passcode: passcode, email: email, addresses: others, signedInAs: signedInAs)
        if let refusal = claim.refusal { throw refusal }
        try turn.delete(passcode)
        try turn.spend(code: code, sentTo: email.address)
        let confirmed = claim.confirmedEmail(at: turn.now)
        if let confirmed { try turn.db.confirm(confirmed) }
        Self.note(passcode, of: email.address, isConfirmation: confirmed != nil, in: turn)
        return Redemption(
            passcode: passcode, address: email.address, isConfirmation: confirmed != nil,
            isPrimaryNow: confirmed?.isPrimary == true && !email.isPrimary,
            novelty: email.userID != nil ? nil : others.isEmpty ? .user : .address,
            session: try turn.open(opening, for: passcode.userID))
    }

    /// Source: Hanko 2.7. Expiry is checked first; the third wrong code is the passcode's end.
    private static func check(_ code: String, of passcode: Passcode, in turn: Turn) throws {
        guard turn.now <= passcode.expiresAt else {
            throw HankoRefusal.passcodeExpired(passcode, now: turn.now)
        }
        if passcode.matches(code) { return }
        var counted = passcode
        counted.wrongTries.increment()
        let triesLeft = Passcode.triesAllowed - counted.wrongTries
        guard triesLeft > 0 else {
            throw turn.kept(HankoRefusal.passcodeExhausted(code)) { try $0.delete(passcode) }
        }
        let owner = try turn.db.passcodes(of: passcode.userID).first {
            $0.id != passcode.id && $0.matches(code)
        }
        throw turn.kept(HankoRefusal.passcodeWrong(code, triesLeft: triesLeft, isOfAnother: owner?.id)) {
            [counted] in try $0.update(counted)
        }
    }

    private static func note(
        _ passcode: Passcode, of address: String, isConfirmation: Bool, in turn: Turn
    ) {
        turn.note(
            "passcode accepted", about: address,
            "The passcode \(passcode.id) of the user \(passcode.userID) was right and is used up.")
        guard isConfirmation else { return }
        turn.note(
            "address verified", about: address,
            "The address \(address) is confirmed and belongs to the user \(passcode.userID) now.")
    }
}

extension Announcer {
    /// Tells the audit log and the webhooks.
    fileprivate func tell(_ redemption: Redemption, in turn: Turn) throws {
        let (address, userID) = (redemption.address, redemption.passcode.userID)
        if redemption.isConfirmation {
            if redemption.isPrimaryNow {
                try audit(.primaryEmailChanged, userID: userID, address: address, in: turn)
            }
            try audit(.emailVerified, userID: userID, address: address, in: turn)
        }
        try audit(.passcodeFinalSucceeded, userID: userID, address: address, in: turn)
        switch redemption.novelty {
        case .user: try announce(.userCreate, userID: userID, in: turn)
        case .address: try announce(.userUpdateEmailCreate, userID: userID, in: turn)
        case nil: break
        }
    }
}

/// What came of a right code.
private struct Redemption {
    let passcode: Passcode
    let address: String
    /// Whether this code confirmed the address.
    let isConfirmation: Bool
    /// Whether the address became the primary one by it.
    let isPrimaryNow: Bool
    /// What there was not before.
    let novelty: Novelty?
    let session: OpenedSession

    /// What a confirmation brought: somebody's first address makes the user complete.
    enum Novelty: Sendable { case user, address }
}

extension Connection {
    fileprivate func passcode(_ id: String) throws -> Passcode? {
        try first(Passcode.self, where: "id = \(id)")
    }

    /// The newest ones.
    fileprivate func passcodes(of userID: String) throws -> [Passcode] {
        try all(
            Passcode.self,
            "SELECT * FROM hanko_passcode WHERE user_id = \(userID) ORDER BY rowid DESC LIMIT 20")
    }
}
