import Essentials
import SQLite

extension MobileTransaction: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        type = try row.text("type")
        method = MobileMethod(rawValue: try row.text("method")) ?? .otp
        portal = try row.text("portal")
        callbackURI = try row.text("callback_uri")
        message = try row.text("message")
        secureMessage = try row.optionalText("secure_message")
        signingData = try row.optionalText("signing_data")
        otp = try row.optionalText("otp")
        challenge = try row.text("challenge")
        pageKey = try row.text("page_key")
        subject = try row.optionalText("subject")
        clientID = try row.optionalText("client_id")
        profileID = try row.optionalText("profile_id")
        phoneNumber = try row.optionalText("phone_number")
        smsCode = try row.optionalText("sms_code")
        attempts = try row.integer("attempts")
        resends = try row.integer("resends")
        stored = MobileTransactionState(rawValue: try row.text("state")) ?? .failed
        reason = try row.optionalText("reason").flatMap(MobileTransactionReason.init(rawValue:))
        signature = try DeviceSignature(row: row)
        callback = try row.optionalText("callback").flatMap(CallbackState.init(rawValue:))
        createdAt = try row.date("created_at")
        fetchedAt = try row.optionalDate("fetched_at")
        endedAt = try row.optionalDate("ended_at")
        expiresAt = try row.date("expires_at")
    }
}

extension DeviceSignature {
    fileprivate init?(row: Row) throws {
        guard let text = try row.optionalText("signature"),
            let publicKey = try row.optionalText("user_public_key")
        else { return nil }
        self.init(
            text: text, publicKey: publicKey, isVerified: try row.optionalInteger("signature_verified") == 1)
    }
}
