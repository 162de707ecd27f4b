import Essentials
import PlatformKit
import SQLite

extension Onegini {
    /// Sends the text message or the push of a transaction; nothing for OTP.
    func deliver(
        _ transaction: MobileTransaction, _ settings: MobileAuthenticationSettings, _ turn: Turn
    ) throws {
        if transaction.method == .sms { return try deliverSMS(transaction, settings, turn) }
        if transaction.method.isPush { try deliverPush(transaction, turn) }
    }

    /// `{code}` in the message becomes the code; a message without it is not sent. Source: topic «SMS authentication».
    private func deliverSMS(
        _ transaction: MobileTransaction, _ settings: MobileAuthenticationSettings, _ turn: Turn
    ) throws {
        guard let code = transaction.smsCode, let number = transaction.phoneNumber else { return }
        let text =
            transaction.message.contains("{code}")
            ? transaction.message.replacing("{code}", with: code) : code
        let sender = settings.type(transaction.type)?.senderID ?? "Understudy"
        try turn.send(
            Message(
                .sms, kind: "sms", from: Message.Address(sender), to: Message.Address(number), subject: "",
                text: text, code: code, expiresAt: transaction.expiresAt, source: Self.name))
    }

    /// What is secret does not go through a push service. Source: the SDK's documentation, `og_transaction_id`.
    private func deliverPush(_ transaction: MobileTransaction, _ turn: Turn) throws {
        guard let clientID = transaction.clientID, let profileID = transaction.profileID else { return }
        let token = try turn.db.enrollment(of: profileID, on: clientID)?.pushToken
        let device = try turn.db.device(clientID)?.name
        // The enrollment may have gone since the route was found; then nobody gets the push, as in life.
        guard let token else { return }
        let content: JSONValue = [
            "og_transaction_id": .string(transaction.id), "og_profile_id": .string(profileID),
            "message": .string(transaction.message),
        ]
        try turn.send(
            Message(
                .push, kind: "push", from: Message.Address("Understudy"),
                to: Message.Address(token, name: device), subject: transaction.message, text: content.text,
                expiresAt: transaction.expiresAt, source: Self.name))
    }
}
