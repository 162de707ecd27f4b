import Essentials
import HTTP
import PlatformKit
import SQLite

// The customer's own verifier: how classic servers leave it to a back end whether a user may register.
extension Verifications {
    /// Asks the verifier of the project, where it has one, about a registration that waits. Never inside a transaction: it waits for another
    /// server.
    ///
    /// `POST {"userId", "mpinId", "mobile", "activateKey", "expireTime", "resend", "deviceName", "userData"}`, with the header
    /// `RPS-BASE-URL`. The answer may hold `{"forceActivate": true}`; without it the verifier sends the `activateKey` back later, see
    /// ``MIRACL/activateIdentity(_:)``.
    ///
    /// - Parameter isResend: whether the registration began before.
    /// - Returns: the identity as it is then.
    /// - Throws: ``VerificationRefusal``; a registration that is refused is taken away. Source: Milagro MFA server.
    func askVerifier(
        about identity: Identity, in project: Project, _ input: Members, isResend: Bool, _ request: Request
    ) throws -> Identity {
        guard let url = project.verifierURL, identity.state == .pending else { return identity }
        let found = try world.database.read { db in
            try OneTimeCode.all([.custom], of: identity.userID, in: project.id, db)
        }
        guard let key = found.first(where: { $0.mpinID == identity.mpinID }) else { return identity }
        let question: JSONValue = [
            "userId": .string(identity.userID), "mpinId": .string(identity.mpinID),
            "mobile": .integer(try input.flag("mobile") ? 1 : 0), "activateKey": .string(key.text),
            "expireTime": .string(Timestamp.text(identity.registrationExpiresAt)),
            "resend": .boolean(isResend), "deviceName": .string(identity.deviceName),
            "userData": .string(try input.optionalText("userData") ?? ""),
        ]
        do {
            let isForced = try verdict(on: question, at: url, request)
            return isForced ? try activate(identity, by: key, request) : identity
        } catch let refusal as VerificationRefusal {
            try world.change { turn in try Identity.remove(identity.mpinID, in: turn.db) }
            throw refusal
        }
    }

    /// Whether the user counts as verified at once.
    private func verdict(on question: JSONValue, at url: String, _ request: Request) throws -> Bool {
        let headers: Headers = ["Content-Type": "application/json", "RPS-BASE-URL": request.baseURL]
        let answer: Response
        do {
            answer = try world.services.web.send(.post, url, headers, question.bytes)
        } catch let error as WebCallFailed {
            throw VerificationRefusal.verifierSilent("POST \(url): \(error).")
        }
        guard (200...299).contains(answer.status.code) else {
            throw VerificationRefusal.verifierRefused(url: url, answer.status)
        }
        if answer.bytes.isEmpty { return false }
        do {
            return try JSONValue(parsing: answer.bytes)["forceActivate"]?.boolean ?? false
        } catch let error as DecodingError {
            throw VerificationRefusal.verifierSilent(
                "POST \(url): the answer is not JSON: \(error.sentence).")
        }
    }

    /// The verifier may have been faster with the key than with its answer.
    private func activate(_ identity: Identity, by key: OneTimeCode, _ request: Request) throws -> Identity {
        try world.change { turn in
            guard var current = try Identity.find(identity.mpinID, in: turn.db) else { return identity }
            guard current.state == .pending else { return current }
            (current.state, current.origin) = (.verified, .forced)
            try key.spend(in: turn)
            try turn.update(current)
            try turn.audit("registration", "registration_verified", of: current, request)
            return current
        }
    }
}
