import Essentials

/// What a device answers, decrypted: `{"v":1,"transaction_id","challenge","result":"confirm"|"deny","timestamp"?,
/// "refresh_token"?,"signature"?}`.
struct DeviceAnswer: Decodable, Sendable, Equatable {
    enum Verdict: String, Decodable, Sendable {
        case confirm, deny
    }

    let version: Int
    let transactionID: String
    let challenge: String
    let result: Verdict
    /// The one that the PIN unmasks: with PUSH_WITH_PIN.
    let refreshToken: String?
    /// In base64: where the message had data to sign.
    let signature: String?

    enum CodingKeys: String, CodingKey {
        case version = "v"
        case transactionID = "transaction_id"
        case challenge, result
        case refreshToken = "refresh_token"
        case signature
    }

    /// Why it is no answer to `transaction`: a sentence; nil for one that is.
    func fault(for transaction: MobileTransaction) -> String? {
        guard version == 1 else { return "The decrypted answer has v \(version), expected 1." }
        guard transactionID == transaction.id else {
            return
                "The decrypted answer is for the transaction “\(transactionID.prefix(60))”, the path names "
                + "\(transaction.id)."
        }
        guard challenge == transaction.challenge else {
            return
                "The decrypted answer has the challenge “\(challenge.prefix(60))”, the message that was fetched had "
                + "“\(transaction.challenge)”."
        }
        guard result == .confirm else { return nil }
        if transaction.method == .pushWithPIN, refreshToken == nil {
            return
                "The decrypted answer confirms a transaction of method PUSH_WITH_PIN and lacks “refresh_token”, the "
                + "one that the PIN unmasks."
        }
        if transaction.signingData != nil, signature == nil {
            return "The decrypted answer confirms a transaction with data to sign and lacks “signature”."
        }
        return nil
    }
}
