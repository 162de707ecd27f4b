import HTTP
import HTTPClient

/// `otp`: one-time passwords that a device confirms, from the terminal.
enum OTPCommand {
    private struct List: Decodable {
        let transactions: [TransactionView]
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        switch action {
        case "start": return try OTPStart(api, invocation, terminal).run()
        case "list": try list(api, invocation, terminal)
        case "confirm":
            let user = invocation.text(.otpUser).map { ":" + $0 } ?? ""
            try act(action + user, on: arguments[0], api, invocation, terminal)
        default: try act(action, on: arguments[0], api, invocation, terminal)
        }
        return 0
    }

    private static func list(_ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal) throws {
        let response = try api.call(.get, "/transactions", query: [("user", invocation.text(.otpUser))])
        if invocation.flag(.json) { return terminal.print(response.text) }
        let transactions = try api.read(List.self, response).transactions
        guard !transactions.isEmpty else {
            return terminal.complain("no transactions in the world \(api.world)")
        }
        let rows = transactions.map { one in
            [
                one.id, one.sentence, one.secondsLeft.map { "\($0) s" } ?? "-", one.kind, one.title,
            ].map(Columns.plain)
        }
        for line in Columns.lines([["ID", "STATE", "LEFT", "KIND", "TITLE"]] + rows) { terminal.print(line) }
    }

    private static func act(
        _ action: String, on id: String, _ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal
    ) throws {
        let path = "/transactions/\(id.percentEncoded)/\(action.percentEncoded)"
        let response = try api.call(.post, path)
        if invocation.flag(.json) { return terminal.print(response.text) }
        terminal.print(Columns.plain(try api.read(TransactionView.self, response).sentence))
    }
}
