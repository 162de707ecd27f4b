import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /api/v4/authenticate/user`: asks a user. In v3 `app_id` takes the place of `device_id`; v2 and v1 name neither. In v1
    /// nobody proves who asks, and nothing is signed.
    ///
    /// - Request: form with `type` and, by its method: push `user_id`, `device_id`, `callback_uri`, `message`, `signing_data`?;
    ///   OTP `callback_uri`, `message` and no `user_id`; SMS `user_id`, `phone_number`, `message`. Always allowed are
    ///   `secure_message`, `language_code`, and in v4 `ip_address` and `user_agent`. `message` may be absent when the type has one.
    /// - Response: `200 {"transaction_id", "auth_method": "otp", "time_to_live": milliseconds, "otp"?, "device"?: {"name",
    ///   "platform"}}`; `qr_url` where the settings ask for it.
    /// - Errors: 1000, 401 and 403 of the client, 4001 (v3, v2), 1003, 3001, 4000, 1005, 1001.
    /// - Source: mobile authentication API v4, v3, v2; v1, whose parameters are *assumed* to be those of v2.
    func startMobileAuthentication(_ request: Request) throws -> Response { try start(request, .v4) }

    func startMobileAuthenticationV3(_ request: Request) throws -> Response { try start(request, .v3) }

    func startMobileAuthenticationV2(_ request: Request) throws -> Response { try start(request, .v2) }

    func startMobileAuthenticationV1(_ request: Request) throws -> Response { try start(request, .v1) }

    private func start(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal.answer(request, version) { transactions, client in
            let transaction = try transactions.start(
                StartRequest(request.form, version), by: client, request)
            return .portal(try answer(to: transaction, transactions.settings, request))
        }
    }

    private func answer(
        to transaction: MobileTransaction, _ settings: MobileAuthenticationSettings, _ request: Request
    ) throws -> JSONValue {
        let life = transaction.expiresAt.unixMilliseconds.subtracting(transaction.createdAt.unixMilliseconds)
        var members: [String: JSONValue] = [
            "transaction_id": .string(transaction.id), "auth_method": .string(transaction.method.channel),
            "time_to_live": .integer(life),
        ]
        if let text = transaction.otpText {
            members["otp"] = .string(text)
            if settings.tellsQRPage {
                members["qr_url"] = .string(request.baseURL + transaction.pagePath)
            }
        }
        if transaction.method.isPush, let id = transaction.clientID {
            let device = try database.read { try $0.device(id) }
            members["device"] = [
                "name": .string(device?.name ?? ""), "platform": .string(device?.platform.rawValue ?? ""),
            ]
        }
        return .object(members)
    }
}

extension MobileTransaction {
    /// Of its page, under the platform's mount.
    var pagePath: String { "/sdk/v1/qr/\(id)?key=\(pageKey)" }
}
