import HTTP
import PlatformKit

extension Console {
    struct TransactionsOutput: Encodable {
        let transactions: [TransactionJSON]
    }

    /// `GET /transactions?platform=&state=&user=&open=&limit=&wait=`: what waits for a decision or did lately, newest first.
    ///
    /// - Response: `200 {"transactions": […]}`, empty when none fitted within `wait` seconds.
    func listTransactions(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "platform", "state", "user", "open", "limit", "wait")
        var query = TransactionQuery()
        query.platform = parameters.text("platform")
        query.state = parameters.text("state")
        query.user = parameters.text("user")
        query.isOpen = try parameters.flag("open")
        query.limit = try parameters.limit()
        let wanted = query
        return try watch(world).answer(within: parameters.wait()) { all in
            let chosen = wanted.chosen(from: all)
            return chosen.isEmpty ? nil : chosen
        } with: { found in
            try .json(TransactionsOutput(transactions: (found ?? []).map { shape($0, world, request) }))
        }
    }

    /// `GET /transactions/ID?state=&after=&settled=&wait=`: one transaction, when what is waited for has come about.
    ///
    /// - Response: `200` with the transaction as it is then, also when `wait` seconds were not enough, or when its state
    ///   cannot change any more.
    /// - Errors: 404 when there is none after `wait` seconds.
    func showTransaction(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "state", "after", "settled", "wait")
        var goal = TransactionGoal()
        goal.state = parameters.text("state")
        goal.after = try parameters.after()
        goal.isSettled = try parameters.flag("settled") ?? false
        let (id, wanted) = (request.parameter("id"), goal)
        return try watch(world).answer(within: parameters.wait()) { all in
            all.first { $0.id == id && wanted.isReached(by: $0) }
        } with: { reached in
            try .json(shape(try reached ?? transaction(id, in: world), world, request))
        }
    }

    /// `GET /transactions/ID/qr?format=`: the transaction's code as a QR symbol.
    ///
    /// - Response: `200` with `image/svg+xml`, or with `image/png` for the format `png`.
    /// - Errors: 404 when there is no such transaction, or no code in it; 400 for another format.
    func transactionQR(_ world: World, _ request: Request) throws -> Response {
        let format = try Symbol.Format(Parameters(request, "format"))
        let transaction = try transaction(request.parameter("id"), in: world)
        return try Symbol.response(transaction.code, of: "transaction", transaction.id, format)
    }

    /// `POST /transactions/ID/ACTION`: what a device or a user would do, done without one.
    ///
    /// - Response: `200` with the transaction as it is then.
    /// - Errors: 404 when there is no such transaction, 400 for an action that it does not know, 409 when it cannot be done.
    func actOnTransaction(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let done = try perform(request.parameter("action"), on: request.parameter("id"), in: world)
        return try .json(shape(done, world, request))
    }

    func watch(_ world: World) -> TransactionWatch {
        TransactionWatch(world: world, platforms: info.platforms)
    }

    private func transaction(_ id: String, in world: World) throws -> Transaction {
        guard let found = try watch(world).find(id) else { throw noTransaction(id, in: world) }
        return found.transaction
    }

    func shape(_ transaction: Transaction, _ world: World, _ request: Request) -> TransactionJSON {
        let mount = info.mount(of: transaction.platform)
        return TransactionJSON(
            transaction, at: world.clock.now, base: WorldAddresses(request, info).url(mount, in: world.name))
    }
}

extension ConsoleInfo {
    /// The main path segment of the platform called `name`.
    func mount(of name: String) -> String {
        platforms.first { $0.name == name }?.mountPaths.first ?? name
    }
}
