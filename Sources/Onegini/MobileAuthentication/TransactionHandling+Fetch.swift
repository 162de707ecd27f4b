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
    /// OpenPGP in binary form, or the JSON itself for a device that enrolled with a bare key.
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

extension TransactionHandling {
    /// Checks 5 to 9 and the fetch.
    func fetch(_ order: FetchOrder, _ request: Request) throws -> FetchedMessage {
        let transactions = try requireMobileAuthentication()
        return try world.change { turn in
            do {
                let fetched = try fetchUnnoted(order, transactions, turn)
                try add(
                    .mobileAuthFetchSecuredMessageFetched, order.user, order.transactionID, request, turn)
                return fetched
            } catch let refusal as HandlingRefusal {
                throw turn.kept(refusal) {
                    try add(refusal.event?.fetch, order.user, order.transactionID, request, $0)
                }
            }
        }
    }

    private func fetchUnnoted(
        _ order: FetchOrder, _ transactions: MobileTransactions, _ turn: Turn
    ) throws -> FetchedMessage {
        let (now, profile) = (turn.now, order.user.profile)
        // 6
        guard var transaction = try turn.db.mobileTransaction(order.transactionID, at: now) else {
            throw HandlingRefusal.transactionUnknown(order.transactionID)
        }
        if let refusal = transaction.refusal(ofUseBy: profile, order.way, at: now) { throw refusal }
        guard transaction.stored.isOpen else {
            throw HandlingRefusal.finished(transaction.id, transaction.stored)
        }
        // 7
        if order.way == .otp, !transaction.accepts(order.code ?? "") {
            throw wrongCode(for: transaction, transactions, turn)
        }
        // 8
        let enrollment = try requireEnrollment(of: profile, turn)
        // 9
        if let refusal = transaction.refusal(ofFetchBy: profile) { throw refusal }
        transaction.fetch(by: profile, at: now)
        do {
            let message = try seal(transaction, to: enrollment, at: now)
            try turn.update(transaction)
            return FetchedMessage(
                transactionID: transaction.id, message: message, expiresIn: transaction.secondsLeft(at: now))
        } catch let error as OpenPGPError {
            throw HandlingRefusal.keyUnusable(profile.id, .init(explanation: error.explanation))
        } catch let fault as DeviceCertificate.Fault {
            throw HandlingRefusal.keyUnusable(profile.id, fault)
        }
    }

    /// The refusal of a wrong code, which is counted.
    private func wrongCode(
        for transaction: MobileTransaction, _ transactions: MobileTransactions, _ turn: Turn
    ) -> HandlingRefusal {
        let limit = MobileTransaction.otpAttemptLimit
        var counted = transaction
        counted.countWrongCode(limit: limit, at: turn.now, transactions.settings)
        let refusal = HandlingRefusal.codeWrong(counted.id, attempt: counted.attempts, limit: limit)
        return turn.kept(refusal) { [counted] in try transactions.keep(counted, $0) }
    }

    private func seal(
        _ transaction: MobileTransaction, to enrollment: Enrollment, at now: Date
    ) throws -> [UInt8] {
        let plaintext = transaction.plaintext(for: enrollment.profileID).bytes
        guard case .openPGP(let certificate) = try enrollment.deviceCertificate(at: now) else {
            return plaintext
        }
        return try OpenPGPMessage.encrypt(
            plaintext, to: certificate,
            entropy: { registry.services.entropy.bytes($0, "onegini.message") })
    }
}

extension MobileTransaction {
    /// What a device reads. Source: the device protocol; `signing_data` for pushes with signing; `method`, by which an app knows whether
    /// to ask for the PIN, is ours.
    func plaintext(for profileID: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "v": 1, "transaction_id": .string(id), "type": .string(type),
            "method": .string(method.rawValue), "message": .string(shownMessage),
            "profile_id": .string(profileID), "challenge": .string(challenge),
            "issued_at": .integer(createdAt.unixMilliseconds),
            "expires_at": .integer(expiresAt.unixMilliseconds),
        ]
        if let signingData { members["signing_data"] = .string(signingData) }
        return .object(members)
    }
}
