import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import SQLite

/// A device's answer, as far as it could be read before its checks.
private struct AnswerOrder: Sendable {
    let transactionID: String
    let way: HandlingWay
    let user: DeviceUser
    /// Nil for a profile that is not enrolled.
    let opened: OpenedAnswer?
}

/// An answer after decryption.
private struct OpenedAnswer: Sendable {
    let certificate: DeviceCertificate
    let answer: Result<DeviceAnswer, HandlingRefusal>
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

extension TransactionHandling {
    /// Checks 5, 6, 8, 10 and 11 and the answer.
    ///
    /// - Parameter message: as it came, encrypted.
    func answer(
        _ message: String, to transactionID: String, _ way: HandlingWay, by user: DeviceUser,
        _ request: Request
    ) throws -> AnsweredTransaction {
        let transactions = try requireMobileAuthentication()
        let order = AnswerOrder(
            transactionID: transactionID, way: way, user: user, opened: try open(message, of: user))
        return try world.change { turn in
            do {
                let answered = try answerUnnoted(order, transactions, turn)
                let event: EventType =
                    answered.result == .confirm ? .mobileAuthAuthenticated : .mobileAuthNotAuthenticated
                try add(event, user, transactionID, request, turn)
                return answered
            } catch let refusal as any OAuthRefusal {
                let event = (refusal as? HandlingRefusal)?.event?.answer ?? .mobileAuthNotAuthenticated
                throw turn.kept(refusal) { try add(event, user, transactionID, request, $0) }
            }
        }
    }

    /// Decrypts an answer, before the transaction of the database: a private key takes its time.
    ///
    /// - Throws: ``HandlingRefusal/keyUnusable(_:_:)`` for a certificate that is not good any more.
    private func open(_ message: String, of user: DeviceUser) throws -> OpenedAnswer? {
        let profile = user.profile
        let enrollment = try world.database.read { db in
            try db.enrollment(of: profile.id, on: profile.clientID)
        }
        guard let enrollment else { return nil }
        let certificate: DeviceCertificate
        do {
            certificate = try enrollment.deviceCertificate(at: registry.now)
        } catch {
            throw HandlingRefusal.keyUnusable(profile.id, error)
        }
        let key = try world.serverKey(of: enrollment)
        guard key != nil || !certificate.isOpenPGP else { throw HandlingRefusal.serverKeyMissing }
        return OpenedAnswer(
            certificate: certificate, answer: Self.read(message, with: key, from: certificate))
    }

    private static func read(
        _ message: String, with key: OpenPGPServerKey?, from certificate: DeviceCertificate
    ) -> Result<DeviceAnswer, HandlingRefusal> {
        do {
            let plaintext = try plaintext(message, with: key, from: certificate)
            return .success(try JSONDecoder().decode(DeviceAnswer.self, from: Data(plaintext)))
        } catch let error as JOSEError {
            return .failure(
                .answerUnreadable(
                    "The answer is not a JWS of the enrolled key, with which the transaction has failed: \(error)."
                ))
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

    private static func plaintext(
        _ message: String, with key: OpenPGPServerKey?, from certificate: DeviceCertificate
    ) throws -> [UInt8] {
        switch certificate {
        case .key(let signer): return try JWS.verify(message, keys: [JWK(.publicKey(signer))]).payload
        case .openPGP(let certificate):
            guard let key else { throw HandlingRefusal.serverKeyMissing }
            return try OpenPGPMessage.decrypt(Array(message.utf8), with: key, signer: certificate).plaintext
        }
    }

    private func answerUnnoted(
        _ order: AnswerOrder, _ transactions: MobileTransactions, _ turn: Turn
    ) throws -> AnsweredTransaction {
        let profile = order.user.profile
        // 6
        guard let transaction = try turn.db.mobileTransaction(order.transactionID, at: turn.now)
        else { throw HandlingRefusal.transactionUnknown(order.transactionID) }
        if let refusal = transaction.refusal(ofUseBy: profile, order.way, at: turn.now) { throw refusal }
        // 8
        try requireEnrollment(of: profile, turn)
        // 10
        if let refusal = transaction.refusal(ofAnswerBy: profile) { throw refusal }
        // 11. An enrollment that came between the opening and now has nothing to do with this answer.
        guard let opened = order.opened else { throw HandlingRefusal.notEnrolled(profile.id) }
        switch opened.answer {
        case .failure(let refusal): throw failed(transaction, refusal, transactions, turn)
        case .success(let answer):
            if let fault = answer.fault(for: transaction) {
                throw failed(transaction, .answerInvalid(fault), transactions, turn)
            }
            return try settle(transaction, answer, opened.certificate, profile, transactions, turn)
        }
    }

    /// An answer that is none is final (M9).
    private func failed(
        _ transaction: MobileTransaction, _ refusal: HandlingRefusal,
        _ transactions: MobileTransactions,
        _ turn: Turn
    ) -> HandlingRefusal {
        var failed = transaction
        failed.end(.failed, .invalidAnswer, at: turn.now, transactions.settings)
        return turn.kept(refusal) { [failed] in try transactions.keep(failed, $0) }
    }

    private func settle(
        _ transaction: MobileTransaction, _ answer: DeviceAnswer, _ certificate: DeviceCertificate,
        _ profile: Profile, _ transactions: MobileTransactions, _ turn: Turn
    ) throws -> AnsweredTransaction {
        var transaction = transaction
        if answer.result == .confirm {
            try checkPIN(&transaction, answer, profile, transactions, turn)
            if let data = transaction.signingData, let text = answer.signature {
                guard let signature = try DeviceSignature(text, of: data, by: certificate) else {
                    let refusal = HandlingRefusal.answerInvalid(
                        "The certificate of the device has no key that signs, and data were to be signed.")
                    throw failed(transaction, refusal, transactions, turn)
                }
                transaction.signature = signature
            }
            transaction.end(.authenticated, at: turn.now, transactions.settings)
        } else {
            transaction.end(.denied, .notAccepted, at: turn.now, transactions.settings)
        }
        try transactions.keep(transaction, turn)
        return AnsweredTransaction(id: transaction.id, result: answer.result, state: transaction.stored)
    }

    /// A wrong PIN leaves the transaction open, except for the last one allowed, which removes the user from the device.
    private func checkPIN(
        _ transaction: inout MobileTransaction, _ answer: DeviceAnswer, _ profile: Profile,
        _ transactions: MobileTransactions, _ turn: Turn
    ) throws {
        guard transaction.method == .pushWithPIN, let token = answer.refreshToken else { return }
        transaction.attempts.increment()
        // The profile of the access token may be older than the count in the database.
        let current = try turn.db.profile(profile.id, on: profile.clientID) ?? profile
        do {
            try registry.checkRefreshToken(token, of: current, turn)
        } catch let refusal as PINRefusal {
            if refusal.isLocked {
                transaction.end(.failed, .invalidAnswer, at: turn.now, transactions.settings)
            }
            throw turn.kept(refusal) { [transaction] in try transactions.keep(transaction, $0) }
        }
    }
}
