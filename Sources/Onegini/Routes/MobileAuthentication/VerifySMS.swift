import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /api/v4/authenticate/user/{user_id}/sms`: the code that the user typed at the portal; v3 and v2 alike.
    ///
    /// - Request: form `transaction_id`, `sms_code`; API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `200 {"transaction_id"}`.
    /// - Errors: 1000, 4001 (v3, v2), 3000, 1003, 3004 (also when it is over), 3005, 3003; with the last wrong code allowed the
    ///   transaction fails. 401 and 403 of the client.
    /// - Source: mobile authentication API v4, «SMS».
    func verifySMS(_ request: Request) throws -> Response { try verify(request, .v4) }

    func verifySMSV3(_ request: Request) throws -> Response { try verify(request, .v3) }

    func verifySMSV2(_ request: Request) throws -> Response { try verify(request, .v2) }

    func verifySMSV1(_ request: Request) throws -> Response { try verify(request, .v1) }

    private func verify(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal(request, version) { settings, _ in
            try requireSMS(settings)
            let id = try smsParameter("transaction_id", of: request)
            let code = try smsParameter("sms_code", of: request)
            try world.change { turn in
                try verify(code, of: id, by: request.parameter("user"), settings, request, turn)
            }
            return .portal(["transaction_id": .string(id)])
        }
    }

    private func verify(
        _ code: String, of id: String, by user: String, _ settings: MobileAuthenticationSettings,
        _ request: Request, _ turn: Turn
    ) throws {
        var transaction = try openSMS(id, of: user, in: turn.db)
        let isRight = constantTimeEqual(Array(code.utf8), Array((transaction.smsCode ?? "").utf8))
        let limit = settings.type(transaction.type)?.maxAttempts ?? 0
        if isRight {
            if let number = transaction.phoneNumber { try turn.spend(code: code, sentTo: number) }
            transaction.end(.authenticated, at: turn.now, settings)
        } else {
            transaction.countWrongCode(limit: limit, at: turn.now, settings)
        }
        let settle = { [transaction] (turn: Turn) in
            try keep(transaction, settings, turn)
            try turn.insert(
                Event(
                    isRight ? .mobileAuthAuthenticated : .mobileAuthNotAuthenticated, subject: user,
                    transactionID: id, request, services))
        }
        guard isRight else {
            throw turn.kept(PortalFault.codeWrong(Self.reason(transaction, limit: limit)), settle)
        }
        try settle(turn)
    }

    private static func reason(_ transaction: MobileTransaction, limit: Int) -> String {
        let count = limit == 0 ? "which is never too many" : "of \(limit)"
        return "The code is not the one that was sent: wrong code \(transaction.attempts), \(count)"
            + (transaction.stored.isOpen ? "." : "; with it the transaction has failed.")
    }
}

// MARK: - What both calls for text messages check

extension Onegini {
    func requireSMS(_ settings: MobileAuthenticationSettings) throws {
        guard settings.types.contains(where: { $0.method == .sms }) else { throw PortalFault.smsDisabled }
    }

    func smsParameter(_ name: String, of request: Request) throws -> String {
        guard let value = request.form[name], !value.isEmpty else {
            throw PortalFault.parameterInvalid("The form lacks the parameter \(name).")
        }
        return value
    }

    /// The transaction of `user` that waits for a code.
    func openSMS(_ id: String, of user: String, in db: Connection) throws -> MobileTransaction {
        let now = services.clock.now()
        guard let transaction = try db.mobileTransaction(id, at: now) else {
            throw PortalFault.transactionUnknown(
                id, "is unknown in this world, or ended more than a day ago")
        }
        guard transaction.method == .sms else {
            throw PortalFault.transactionUnknown(
                id, "is of method \(transaction.method.rawValue), and has no code from a text message")
        }
        guard transaction.subject == user else { throw PortalFault.userWrong(user, transaction: id) }
        let state = transaction.state(at: now)
        guard state.isOpen else {
            throw PortalFault.transactionUnknown(id, "waits for no code any more: it is \(state.rawValue)")
        }
        return transaction
    }
}
