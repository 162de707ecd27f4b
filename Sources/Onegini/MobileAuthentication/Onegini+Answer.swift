import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// A device's answer, as far as it could be read before its checks.
struct AnswerOrder: Sendable {
    let transactionID: String
    let way: HandlingWay
    let user: DeviceUser
    /// Nil for a profile that is not enrolled.
    let opened: OpenedAnswer?
}

/// An answer after decryption.
struct OpenedAnswer: Sendable {
    let certificate: OpenPGPCertificate
    let answer: Result<DeviceAnswer, HandlingError>
}

/// What the device hears.
struct AnsweredTransaction: Sendable {
    let id: String
    let result: DeviceAnswer.Verdict
    let state: MobileTransactionState

    var response: Response {
        .oauth([
            "transaction_id": .string(id), "result": .string(result.rawValue),
            "state": .string(state.rawValue),
        ])
    }
}

extension Onegini {
    /// Decrypts an answer, before the transaction of the database: a private key takes its time.
    ///
    /// - Throws: ``HandlingError/keyUnusable(_:_:)`` for a certificate that is not good any more.
    func open(_ message: String, of user: DeviceUser) throws -> OpenedAnswer? {
        let profile = user.profile
        let enrollment = try database.read { db in
            try enrollments.find(profile.id, on: profile.clientID, in: db)
        }
        guard let enrollment else { return nil }
        guard let key = try serverKey(of: enrollment) else { throw HandlingError.serverKeyMissing }
        let certificate: OpenPGPCertificate
        do {
            certificate = try OpenPGPCertificate(enrollment.certificate, at: services.clock.now())
        } catch {
            throw HandlingError.keyUnusable(profile.id, error)
        }
        return OpenedAnswer(
            certificate: certificate, answer: Self.read(message, with: key, from: certificate))
    }

    private static func read(
        _ message: String, with key: OpenPGPServerKey, from certificate: OpenPGPCertificate
    ) -> Result<DeviceAnswer, HandlingError> {
        do {
            let text = try OpenPGPMessage.decrypt(Array(message.utf8), with: key, signer: certificate)
            return .success(try JSONDecoder().decode(DeviceAnswer.self, from: Data(text.plaintext)))
        } catch let error as OpenPGPError {
            return .failure(
                .answerUnreadable(
                    "The answer cannot be read, with which the transaction has failed: \(error.explanation)"))
        } catch let error as DecodingError {
            return .failure(
                .answerInvalid("The decrypted answer is not the expected JSON: \(error.sentence)."))
        } catch {
            return .failure(.answerInvalid("The decrypted answer is not the expected JSON: \(error)."))
        }
    }

    /// Checks 6, 8, 10 and 11 and the answer, in the transaction that it is given.
    func answer(
        _ order: AnswerOrder, _ settings: MobileAuthenticationSettings, _ request: Request, in db: Connection
    ) throws -> HandlingOutcome<AnsweredTransaction> {
        let outcome = try answerUnnoted(order, settings, in: db)
        let event: EventType? =
            switch outcome.result {
            case .success(let answered):
                answered.result == .confirm ? .mobileAuthAuthenticated : .mobileAuthNotAuthenticated
            case .failure(let refusal):
                (refusal as? HandlingError)?.answerEvent ?? .mobileAuthNotAuthenticated
            }
        try add(event, order.user, order.transactionID, request, in: db)
        return outcome
    }

    private func answerUnnoted(
        _ order: AnswerOrder, _ settings: MobileAuthenticationSettings, in db: Connection
    ) throws -> HandlingOutcome<AnsweredTransaction> {
        let (now, profile) = (services.clock.now(), order.user.profile)
        // 6
        guard let transaction = try mobileTransactions.find(order.transactionID, at: now, in: db) else {
            return HandlingOutcome(HandlingError.transactionUnknown(order.transactionID))
        }
        if let refusal = transaction.refusal(ofUseBy: profile, order.way, at: now) {
            return HandlingOutcome(refusal)
        }
        // 8
        if case .failure(let refusal) = try requireEnrollment(of: profile, in: db) {
            return HandlingOutcome(refusal)
        }
        // 10
        if let refusal = transaction.refusal(ofAnswerBy: profile) { return HandlingOutcome(refusal) }
        // 11. An enrollment that came between the opening and now has nothing to do with this answer.
        guard let opened = order.opened else { return HandlingOutcome(HandlingError.notEnrolled(profile.id)) }
        switch opened.answer {
        case .failure(let refusal): return try fail(transaction, refusal, settings, in: db)
        case .success(let answer):
            if let fault = answer.fault(for: transaction) {
                return try fail(transaction, .answerInvalid(fault), settings, in: db)
            }
            return try settle(transaction, answer, opened.certificate, profile, settings, in: db)
        }
    }

    /// An answer that is none is final (M9).
    private func fail(
        _ transaction: MobileTransaction, _ refusal: HandlingError, _ settings: MobileAuthenticationSettings,
        in db: Connection
    ) throws -> HandlingOutcome<AnsweredTransaction> {
        var transaction = transaction
        transaction.end(.failed, .invalidAnswer, at: services.clock.now(), settings)
        try mobileTransactions.update(transaction, in: db)
        return HandlingOutcome(refusal, ended: transaction)
    }

    private func settle(
        _ transaction: MobileTransaction, _ answer: DeviceAnswer, _ certificate: OpenPGPCertificate,
        _ profile: Profile, _ settings: MobileAuthenticationSettings, in db: Connection
    ) throws -> HandlingOutcome<AnsweredTransaction> {
        var transaction = transaction
        let now = services.clock.now()
        if answer.result == .confirm {
            if let refused = try checkPIN(&transaction, answer, profile, settings, in: db) { return refused }
            if let data = transaction.signingData, let text = answer.signature {
                guard let signature = try DeviceSignature(text, of: data, by: certificate) else {
                    return try fail(
                        transaction,
                        .answerInvalid(
                            "The certificate of the device has no key that signs, and data were to be signed."
                        ),
                        settings, in: db)
                }
                transaction.signature = signature
            }
            transaction.end(.authenticated, at: now, settings)
        } else {
            transaction.end(.denied, .notAccepted, at: now, settings)
        }
        try mobileTransactions.update(transaction, in: db)
        return HandlingOutcome(
            AnsweredTransaction(id: transaction.id, result: answer.result, state: transaction.stored),
            ended: transaction)
    }

    /// A wrong PIN leaves the transaction open, except for the last one allowed, which removes the user from the device.
    private func checkPIN(
        _ transaction: inout MobileTransaction, _ answer: DeviceAnswer, _ profile: Profile,
        _ settings: MobileAuthenticationSettings, in db: Connection
    ) throws -> HandlingOutcome<AnsweredTransaction>? {
        guard transaction.method == .pushWithPIN, let token = answer.refreshToken else { return nil }
        transaction.attempts += 1
        // The profile of the access token may be older than the count in the database.
        let current = try devices.profile(profile.id, on: profile.clientID, in: db) ?? profile
        guard case .failure(let refusal) = try registry.checkRefreshToken(token, of: current, in: db) else {
            return nil
        }
        if case .locked = refusal {
            transaction.end(.failed, .invalidAnswer, at: services.clock.now(), settings)
        }
        try mobileTransactions.update(transaction, in: db)
        return HandlingOutcome(refusal, ended: transaction.stored.isOpen ? nil : transaction)
    }
}
