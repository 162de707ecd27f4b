import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    struct AccountDeletion: Decodable {
        let signature: String
    }

    /// `GET /device/v1/accounts`: the accounts of the installation.
    ///
    /// - Request: no body. A stub counts the call as activity of the user.
    /// - Response: `200`, a list of `{"accountid", "serverid", "username", "userid", "description", "blocked", "headless",
    ///   "created", "lastlogin"}`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func listDeviceAccounts(_ request: Request) throws -> Response {
        let found = try look { db, _ in
            try Account.all(ofInstance: request.requireDevice(in: db).id, in: db)
        }
        return try .json(found.map(\.deviceView))
    }

    /// `DELETE /device/v1/accounts/{id}`: the user removes an account. With the last one that needs a second factor go PIN and
    /// biometrics.
    ///
    /// - Request: `{"signature"}` by the account's key over the text with the challenge of `POST /instance/challenge`.
    /// - Response: `204`.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `BAD_SIGNATURE`, `ACCOUNT_NOT_FOUND`, `WRONG_STATE` without a challenge.
    /// - Source: ours; what goes with the last account is documented by the vendor.
    func deleteOwnAccount(_ request: Request) throws -> Response {
        let id = request.parameter("id")
        try change(for: request) { instance, turn in
            let input = try request.json(AccountDeletion.self)
            guard let account = try Int(id).flatMap({ try Account.find($0, in: turn.db) }),
                account.instance == instance.id
            else { throw DeviceRefusal.accountUnknown(id) }
            let challenge = instance.challenge?.text ?? ""
            let redeemed = try instance.redeeming(challenge, at: turn)
            try turn.update(redeemed)
            let text = SignedText(
                id: instance.id, type: "DELETE_ACCOUNT", challenge: challenge, subject: String(account.id))
            if let refusal = try account.refusal(of: input.signature, text, in: turn.db) {
                // A challenge is good for one try.
                throw turn.kept(refusal) { try $0.db.update(redeemed) }
            }
            try accounts.remove(account, isByDevice: true, in: turn)
        }
        return .noContent
    }
}
