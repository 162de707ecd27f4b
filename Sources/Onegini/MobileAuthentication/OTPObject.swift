import Essentials

/// What a QR code says: `{"transaction_id":"…","otp":"…"}`, in base64. The member `otp` is *assumed*.
///
/// 130 bytes, 176 characters: version 9 of a QR code at level M.
struct OTPObject: Sendable, Equatable {
    let transactionID: String
    /// 64 upper-case hex digits.
    let code: String

    init(transactionID: String, code: String) {
        (self.transactionID, self.code) = (transactionID, code)
    }

    /// No white space, this order of members, padded.
    var text: String {
        Data("{\"transaction_id\":\"\(transactionID)\",\"otp\":\"\(code)\"}".utf8).base64EncodedString()
    }

    /// Members in any order and others besides; padding may be missing. What is longer than 4 KiB is not looked at.
    ///
    /// - Throws: ``Fault``, for the middle of a sentence.
    init(reading text: String) throws(Fault) {
        guard text.utf8.count <= 4096 else { throw Fault("is longer than 4096 bytes") }
        let bare =
            text.hasSuffix("=") ? text : text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: bare) else { throw Fault("is not base64") }
        guard let value = try? JSONValue(parsing: [UInt8](data)), let members = value.object else {
            throw Fault("is base64, but not of a JSON object")
        }
        guard let id = members["transaction_id"]?.string else {
            throw Fault("is a JSON object without the member “transaction_id”")
        }
        guard let code = members["otp"]?.string else {
            throw Fault("is a JSON object without the member “otp”")
        }
        self.init(transactionID: id, code: code)
    }

    struct Fault: Error, Equatable {
        let words: String
        init(_ words: String) { self.words = words }
    }
}
