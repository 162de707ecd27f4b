import Essentials
import HTTP
import HTTPClient
import QRCode
import Sockets

/// `otp start`: starts a transaction, shows its code, waits for the decision.
struct OTPStart {
    private let api: ControlAPI
    private let server: TokenServer
    private let type: String
    private let message: String
    private let callback: String
    /// Who has to confirm; nil for anybody.
    private let user: String?
    /// Seconds to wait for the decision.
    private let wait: Double
    private let isJSON: Bool
    private let background: QRCode.Background
    private let terminal: Terminal

    /// The most that the control API waits in one call.
    private static let longestWait = 60.0

    /// - Throws: ``UsageError``.
    init(_ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal) throws {
        self.api = api
        self.terminal = terminal
        server = TokenServer(api: api, credentials: try Self.credentials(invocation))
        type = invocation.text(.otpType) ?? "qr-code"
        message = invocation.text(.message) ?? "Confirm this login?"
        callback = invocation.text(.callback) ?? api.base + "/_understudy/v1/callbacks"
        user = invocation.text(.otpUser)
        wait = try invocation.seconds(.otpWait) ?? 120
        isJSON = invocation.flag(.json)
        background = invocation.flag(.light) ? .light : .dark
    }

    private static func credentials(_ invocation: Invocation) throws -> BasicCredentials {
        let text = invocation.text(.apiClient) ?? "portal-api:portal-api-secret"
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw invocation.refusal(of: .apiClient, "the client's id and secret, ID:SECRET")
        }
        return BasicCredentials(
            name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    }

    /// - Returns: 0 when it was confirmed, by ``user`` where one is asked for; 1 otherwise.
    func run() throws -> Int32 {
        let started = try server.start(type: type, message: message, callback: callback)
        let deadline = System.uptime + wait
        var (view, text) = try look(started.transactionID, after: 0, seconds: 0)
        if isJSON { terminal.print(text) } else { try show(started, view) }
        var told = 1
        while true {
            told = tell(view, text, after: told)
            if !view.open { return verdict(view) }
            let left = deadline - System.uptime
            guard left > 0 else { break }
            (view, text) = try look(started.transactionID, after: told, seconds: min(left, Self.longestWait))
        }
        if wait == 0 { return 0 }
        terminal.complain(
            "no decision within \(Int(saturating: wait, .up)) s; the transaction is \(view.sentence)")
        return 1
    }

    /// The transaction when it has more than `after` steps or cannot change any more, and the text of the answer.
    private func look(_ id: String, after: Int, seconds: Double) throws -> (TransactionView, String) {
        let query = [
            ("after", String(after)),
            ("wait", seconds > 0 ? String((seconds * 1000).rounded(.up) / 1000) : nil),
        ]
        let response = try api.call(
            .get, "/transactions/" + id.percentEncoded, query: query, waiting: seconds)
        return (try api.read(TransactionView.self, response), response.text)
    }

    private func show(_ started: TokenServer.Started, _ view: TransactionView) throws {
        let symbol: QRCode
        do {
            symbol = try QRCode(text: started.otp)
        } catch {
            throw Failure("the one-time password cannot be shown: \(error)")
        }
        terminal.write(symbol.terminal(usesColour: terminal.isColoured, background: background))
        let rows =
            [["password", started.otp], ["transaction", view.id]]
            + (view.page.map { [["QR page", $0]] } ?? [])
        for line in Columns.lines(rows) { terminal.print(Columns.plain(line)) }
        guard wait > 0 else { return }
        terminal.complain("waiting for a device; without one: understudy otp confirm \(view.id)\(options)")
    }

    /// What leads another command to the same place.
    private var options: String {
        (api.server == "http://localhost:8420" ? "" : " --url \(api.server)")
            + (api.world == "default" ? "" : " --world \(api.world)")
    }

    /// One line for each state that was not told yet.
    ///
    /// - Returns: how many are told now.
    private func tell(_ view: TransactionView, _ text: String, after told: Int) -> Int {
        let news = view.news(after: told)
        if isJSON {
            if !news.isEmpty { terminal.print(text) }
        } else {
            for line in news { terminal.print(Columns.plain(line)) }
        }
        return told + news.count
    }

    private func verdict(_ view: TransactionView) -> Int32 {
        guard view.isConfirmed else { return 1 }
        guard let user, view.user != user else { return 0 }
        terminal.complain("\(user) had to confirm it, but \(view.user ?? "an unknown user") did")
        return 1
    }
}
