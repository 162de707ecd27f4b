import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// A device's wish to read a transaction.
struct FetchOrder: Sendable {
    let transactionID: String
    /// OTP alone.
    let code: String?
    let way: HandlingWay
    let user: DeviceUser
}

/// What the device gets.
struct FetchedMessage: Sendable {
    let transactionID: String
    /// OpenPGP, in binary form.
    let message: [UInt8]
    /// Seconds.
    let expiresIn: Int

    var response: Response {
        .oauth([
            "transaction_id": .string(transactionID), "encoding": "base64",
            "message": .string(Data(message).base64EncodedString()), "expires_in": .integer(expiresIn),
        ])
    }
}

extension Onegini {
    /// Checks 6 to 9 and the fetch, in the transaction that it is given.
    func fetch(
        _ order: FetchOrder, _ settings: MobileAuthenticationSettings, _ request: Request, in db: Connection
    ) throws -> HandlingOutcome<FetchedMessage> {
        let outcome = try fetchUnnoted(order, settings, in: db)
        let event: EventType? =
            switch outcome.result {
            case .success: .mobileAuthFetchSecuredMessageFetched
            case .failure(let refusal): (refusal as? HandlingError)?.fetchEvent
            }
        try add(event, order.user, order.transactionID, request, in: db)
        return outcome
    }

    private func fetchUnnoted(
        _ order: FetchOrder, _ settings: MobileAuthenticationSettings, in db: Connection
    ) throws -> HandlingOutcome<FetchedMessage> {
        let (now, profile) = (services.clock.now(), order.user.profile)
        // 6
        guard var transaction = try mobileTransactions.find(order.transactionID, at: now, in: db) else {
            return HandlingOutcome(HandlingError.transactionUnknown(order.transactionID))
        }
        if let refusal = transaction.refusal(ofUseBy: profile, order.way, at: now) {
            return HandlingOutcome(refusal)
        }
        guard transaction.stored.isOpen else {
            return HandlingOutcome(HandlingError.finished(transaction.id, transaction.stored))
        }
        // 7
        if order.way == .otp, !transaction.accepts(order.code ?? "") {
            return try countWrongCode(&transaction, settings, at: now, in: db)
        }
        // 8
        let enrollment: Enrollment
        switch try requireEnrollment(of: profile, in: db) {
        case .success(let found): enrollment = found
        case .failure(let refusal): return HandlingOutcome(refusal)
        }
        // 9
        if let refusal = transaction.refusal(ofFetchBy: profile) { return HandlingOutcome(refusal) }
        transaction.fetch(by: profile, at: now)
        do {
            let message = try seal(transaction, to: enrollment, at: now)
            try mobileTransactions.update(transaction, in: db)
            return HandlingOutcome(
                FetchedMessage(
                    transactionID: transaction.id, message: message,
                    expiresIn: transaction.secondsLeft(at: now)))
        } catch let error as OpenPGPError {
            return HandlingOutcome(HandlingError.keyUnusable(profile.id, error))
        }
    }

    private func countWrongCode(
        _ transaction: inout MobileTransaction, _ settings: MobileAuthenticationSettings, at now: Date,
        in db: Connection
    ) throws -> HandlingOutcome<FetchedMessage> {
        let limit = MobileTransaction.otpAttemptLimit
        transaction.countWrongCode(limit: limit, at: now, settings)
        try mobileTransactions.update(transaction, in: db)
        return HandlingOutcome(
            HandlingError.codeWrong(transaction.id, attempt: transaction.attempts, limit: limit),
            ended: transaction.stored.isOpen ? nil : transaction)
    }

    private func seal(
        _ transaction: MobileTransaction, to enrollment: Enrollment, at now: Date
    ) throws -> [UInt8] {
        let certificate = try OpenPGPCertificate(enrollment.certificate, at: now)
        return try OpenPGPMessage.encrypt(
            transaction.plaintext(for: enrollment.profileID).bytes, to: certificate,
            entropy: { services.entropy.bytes($0, "onegini.message") })
    }
}

extension MobileTransaction {
    /// What a device reads. Source: the device protocol; `signing_data` for pushes with signing.
    func plaintext(for profileID: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "v": 1, "transaction_id": .string(id), "type": .string(type), "message": .string(shownMessage),
            "profile_id": .string(profileID), "challenge": .string(challenge),
            "issued_at": .integer(createdAt.milliseconds), "expires_at": .integer(expiresAt.milliseconds),
        ]
        if let signingData { members["signing_data"] = .string(signingData) }
        return .object(members)
    }
}
