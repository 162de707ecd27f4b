import Essentials
import HTTP
import PlatformKit
import SQLite
import WebAuthn

extension PasskeyAPI {
    /// `POST /{tenant_id}/transaction/initialize`: options with which a user confirms something.
    ///
    /// - Request: `apiKey`; `{"user_id", "transaction_id", "transaction_data"}`, the data any JSON.
    /// - Response: `200 {"publicKey": …}`, whose challenge ends with SHA-256 over id and data.
    /// - Errors: `The api key is invalid`; `unable to validate request`; 404 `unable to find user`; 409 `transaction already exists`; 400 for
    ///   a user without passkeys.
    /// - Source: the vendor's server, transactions. How it writes the data before it is hashed is that of Go: members by name.
    func beginTransaction(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        var members = try PostedMembers(request)
        let user = try members.required("user_id")
        let identifier = try members.required("transaction_id", most: 128)
        let data = members["transaction_data"]
        if data == nil { members.refuse("transaction_data is a required field") }
        try members.check()
        let text = data?.text ?? ""
        let options = try world.change { turn in
            let options = try Ceremonies(tenant, services).beginTransaction(
                identifier, text, of: user, in: turn)
            try log(request, of: tenant).note(
                .transactionBegan, user: user, transaction: identifier, in: turn)
            return options
        }
        return try .passkeyAPI(options)
    }

    /// `POST /{tenant_id}/transaction/finalize`: the user has confirmed it.
    ///
    /// - Request: `apiKey`; `AuthenticationResponseJSON`, whose user handle says who signed.
    /// - Response: `200 {"token"}`, with the claim `trans`.
    /// - Errors: `The api key is invalid`; 400 for what cannot be read, and for a second factor; 401 for everything else.
    /// - Source: the vendor's server, transactions.
    func finishTransaction(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        let posted = try Self.posted(request, .transaction)
        let outcome = try world.change { turn in
            let outcome = try Ceremonies(tenant, services).finishLogin(posted, .transaction, in: turn)
            try log(request, of: tenant).note(
                .transactionEnded, user: outcome.user, transaction: outcome.transaction, in: turn)
            return outcome
        }
        return try token(of: outcome, tenant)
    }

    private struct TransactionOutput: Encodable {
        let id: String
        let identifier: String
        let data: String
        let created_at: Date
        let updated_at: Date

        init(_ transaction: SignedTransaction) {
            (id, identifier, data) = (transaction.id, transaction.identifier, transaction.data)
            (created_at, updated_at) = (transaction.createdAt, transaction.createdAt)
        }
    }

    /// `GET /{tenant_id}/transaction/{user_id}`: what a user was asked to confirm, the oldest first.
    ///
    /// - Request: `apiKey`.
    /// - Response: `200 [{"id", "identifier", "data", "created_at", "updated_at"}]`.
    /// - Errors: `The api key is invalid`; 400 `invalid user id` for an id that is no UUID.
    /// - Source: the vendor's server, transactions, which looks the user up by an id of its own that no other call tells; here it is the app's.
    func listTransactions(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        let user = request.parameter("user_id")
        guard UUIDText.isOne(user) else { throw PasskeyAPIRefusal.userIDMalformed(user) }
        let transactions = try database.read { db in
            try db.all(
                SignedTransaction.self, where: "tenant_id = \(tenant.id) AND user_id = \(user)", limit: 1000)
        }
        return try .passkeyAPI(transactions.map(TransactionOutput.init))
    }
}
