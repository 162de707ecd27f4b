import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// Source: API description 2.2, `Transaction`, in its own spelling.
    private struct TransactionInput: Decodable {
        let amount: String?
        let benificiary: String?
        let description: String?
    }

    /// `POST /servers/{serverid}/sessions/transactions`: asks who is logged in on the session to approve a transaction.
    ///
    /// - Request: `X-nonce`; `{"amount", "benificiary", "description"}`, all texts.
    /// - Response: `200 {"tid"}`. The device gets a push.
    /// - Errors: 400; 401; 403 without `sessions`, and where nobody is logged in; 404 for the server.
    /// - Source: API description 2.2, `createTransaction`.
    func createTransaction(_ request: Request) throws -> Response {
        let id = try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            let nonce = try request.requireNonce()
            let input = try request.json(TransactionInput.self)
            let (session, account) = try requireLogin(nonce, of: server, in: turn)
            let transaction = SignTransaction(
                id: services.entropy.pathSafeBase64(for: "transaction"), server: server.id,
                hsid: session.hsid, account: account.id, amount: input.amount,
                benificiary: input.benificiary, description: input.description, createdAt: turn.now)
            try turn.insert(transaction)
            try announcements.push(
                .transaction, to: account, hsid: session.hsid, transaction: transaction.id, in: turn)
            return transaction.id
        }
        return try .json(["tid": .string(id)] as JSONValue)
    }

    /// `GET /servers/{serverid}/transactions/{transactionid}`: what became of a transaction.
    ///
    /// - Request: the id in any spelling of Base64.
    /// - Response: `200 {"tstatus": "0"}`: `0` new, `1` approved, `2` declined, as text.
    /// - Errors: 401; 403 without `sessions`; 404 for server or transaction.
    /// - Source: API description 2.2, `getTransactionResult`.
    func showTransaction(_ request: Request) throws -> Response {
        let status = try look { db, _ in
            let server = try request.requireServer(.sessions, in: db)
            let id = request.parameter("transactionid")
            guard let transaction = try SignTransaction.find(Server.standardID(id), in: db),
                transaction.server == server.id
            else { throw BackEndRefusal.transactionUnknown(id) }
            return transaction.status
        }
        return try .json(["tstatus": .string(status.rawValue)] as JSONValue)
    }
}
