import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v4/authenticate/transaction/{transaction_id}`: how a transaction stands; v3 to v1 alike. Fetching it does not
    /// use it up; it is there until a day after its end.
    ///
    /// - Request: API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `200 {"transaction_id", "callback_uri", "timestamp", "is_authenticated", "user_id"?, "authentication_method"?,
    ///   "used_authentication_attempts"?, "signature"?, "user_public_key"?, "signature_verified"?, "not_authenticated_reason"?:
    ///   {"reason", "description"}}`. While nobody has answered, and after expiry, there is no reason.
    /// - Errors: 1000, 4001 (v3, v2), 3004; 401 and 403 of the client.
    /// - Source: mobile authentication API v4, “result”.
    func fetchResult(_ request: Request) throws -> Response { try result(request, .v4) }

    func fetchResultV3(_ request: Request) throws -> Response { try result(request, .v3) }

    func fetchResultV2(_ request: Request) throws -> Response { try result(request, .v2) }

    func fetchResultV1(_ request: Request) throws -> Response { try result(request, .v1) }

    private func result(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal.answer(request, version) { transactions, client in
            let id = request.parameter("id")
            let found = try world.change { turn -> MobileTransaction? in
                let found = try turn.db.mobileTransaction(id, at: turn.now)
                try turn.insert(
                    Event(
                        found == nil ? .pushAuthTransactionNotRetrieved : .pushAuthTransactionRetrieved,
                        clientID: client?.id, subject: found?.subject, transactionID: found?.id, request,
                        services))
                return found
            }
            guard let found else {
                throw PortalFault.transactionUnknown(
                    id, "is unknown in this world, or ended more than a day ago")
            }
            try transactions.noticeExpiry(of: found)
            return .portal(found.result)
        }
    }
}

extension MobileTransaction {
    /// What a portal is told. Source: mobile authentication API v4, “result”.
    var result: JSONValue {
        var members: [String: JSONValue] = [
            "transaction_id": .string(id), "callback_uri": .string(callbackURI),
            "timestamp": .integer(createdAt.unixMilliseconds),
            "is_authenticated": .boolean(stored == .authenticated),
        ]
        if let reason {
            members["not_authenticated_reason"] = [
                "reason": .string(reason.rawValue), "description": .string(reason.description),
            ]
        }
        // For OTP the user is known before; a portal hears it with the answer.
        if let subject, method != .otp || !stored.isOpen { members["user_id"] = .string(subject) }
        if stored == .authenticated || stored == .denied || reason == .invalidAnswer {
            members["authentication_method"] = .string(method.wireName)
        }
        if method == .pushWithPIN { members["used_authentication_attempts"] = .integer(attempts) }
        if let signature {
            members["signature"] = .string(signature.text)
            members["user_public_key"] = .string(signature.publicKey)
            members["signature_verified"] = .boolean(signature.isVerified)
        }
        return .object(members)
    }
}
