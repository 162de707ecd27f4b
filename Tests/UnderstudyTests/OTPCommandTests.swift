import Dispatch
import Essentials
import HTTP
import HTTPClient
import QRCode
import Testing

@testable import Understudy

@Suite struct OTPCommandTests {
    private struct List: Decodable {
        struct One: Decodable {
            let id: String
            let title: String
        }

        let transactions: [One]
    }

    /// The transactions that are open at `base`, waiting for the first one.
    private static func open(_ base: String) throws -> [List.One] {
        let url = base + "/_understudy/v1/transactions?open=true&wait=60"
        return try HTTPClient(timeout: 70).send(.get, url).json(List.self).transactions
    }

    /// Runs a command line for the first transaction that is started; `ID` stands for it.
    private func whenStarted(_ base: String, _ arguments: String...) {
        DispatchQueue.global().async {
            do {
                let id = try #require(try Self.open(base).first?.id)
                let line = arguments.map { $0 == "ID" ? id : $0 }
                let recorder = Recorder()
                let status = Program.run(line, recorder.terminal)
                #expect(status == 0, "\(recorder.error)")
            } catch {
                Issue.record(error)
            }
        }
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test func `start shows the code and ends well when somebody confirms`() throws {
        try withTokenServer { url in
            whenStarted(url, "otp", "confirm", "ID", "--user", "ada", "--url", url)
            let (status, out, error) = understudy(
                "otp", "start", "--user", "ada", "--wait", "60s", "--url", url)

            #expect(status == 0, "\(error)")
            let transactions = try HTTPClient().send(.get, url + "/_understudy/v1/transactions")
                .json(List.self).transactions
            let id = try #require(transactions.first?.id)
            #expect(transactions.first?.title == "Confirm this login?\n\(url)/_understudy/v1/callbacks")
            let otp = FakeTokenServer.otp(of: id)
            let symbol = try QRCode(text: otp).terminal(usesColour: false)
            #expect(out.hasPrefix(symbol))
            #expect(
                lines(String(out.dropFirst(symbol.count))) == [
                    "password     \(otp)", "transaction  \(id)",
                    "QR page      \(url)/oauth/sdk/v1/qr/\(id)?key=1", "fetched", "confirmed by ada",
                ])
            #expect(error == "waiting for a device; without one: understudy otp confirm \(id) --url \(url)\n")
        }
    }

    @Test func `it fails when somebody else confirms, or when it is denied`() throws {
        try withTokenServer { url in
            whenStarted(url, "otp", "confirm", "ID", "--url", url)
            let other = understudy("otp", "start", "--user", "ada", "--wait", "60s", "--url", url)
            #expect(other.status == 1)
            #expect(other.out.hasSuffix("fetched\nconfirmed by grace\n"))
            #expect(other.error.hasSuffix("ada had to confirm it, but grace did\n"))

            whenStarted(url, "otp", "deny", "ID", "--url", url)
            let denied = understudy("otp", "start", "--wait", "60s", "--url", url)
            #expect(denied.status == 1)
            #expect(denied.out.hasSuffix("fetched\ndenied by grace\n"))
        }
    }

    @Test func `it fails when the time is over`() throws {
        try withTokenServer { url in
            whenStarted(url, "clock", "advance", "301s", "--url", url)
            let expired = understudy("otp", "start", "--wait", "60s", "--url", url)
            #expect(expired.status == 1)
            #expect(expired.out.hasSuffix("\nexpired\n"))

            let short = understudy("otp", "start", "--wait", "10ms", "--url", url)
            #expect(short.status == 1)
            #expect(short.error.hasSuffix("no decision within 1 s; the transaction is waiting\n"))
            #expect(understudy("otp", "start", "--wait", "0s", "--url", url).status == 0)
        }
    }

    @Test func `a refusal is told with what the journal says of it`() throws {
        try withTokenServer { url in
            let refused = understudy("otp", "start", "--client", "portal-api:wrong", "--url", url)
            #expect(refused.status == 1)
            #expect(refused.out.isEmpty)
            #expect(
                refused.error == """
                    understudy: the token server did not start it: 401 Unauthorized. There is no API client with this id and secret.

                    """)
            let decided = understudy("otp", "confirm", "none", "--url", url)
            #expect(decided.status == 1)
            #expect(decided.error == "understudy: The world default has no transaction “none”.\n")
        }
    }

    @Test func `it works in a world, and the list shows what is there`() throws {
        try withTokenServer { url in
            #expect(understudy("world", "create", "blue", "--url", url).status == 0)
            let started = understudy(
                "otp", "start", "--world", "blue", "--message", "Pay 1 €?", "--wait", "0s", "--json", "--url",
                url)
            #expect(started.status == 0)
            #expect(started.out.contains("\"page\":\"\(url)/w/blue/oauth/sdk/v1/qr/"))
            #expect(lines(started.out).count == 1)

            let listed = lines(understudy("otp", "list", "--world", "blue", "--url", url).out)
            #expect(listed.count == 2)
            #expect(listed.first?.hasPrefix("ID ") == true)
            #expect(listed.last?.contains("waiting") == true)
            // The fake keeps the address to call back in a line of its own: no line may break the table.
            #expect(listed.last?.hasSuffix("Pay 1 €?\u{FFFD}\(url)/w/blue/_understudy/v1/callbacks") == true)
            let none = understudy("otp", "list", "--url", url)
            #expect(none.out.isEmpty && none.error == "no transactions in the world default\n")

            let id = try #require(try Self.open(url + "/w/blue").first?.id)
            let denied = understudy("otp", "deny", id, "--world", "blue", "--url", url)
            #expect(denied.status == 0 && denied.out == "denied by grace\n")
            let again = understudy("otp", "deny", id, "--world", "blue", "--url", url)
            #expect(again.status == 1 && again.error.contains("comes too late"))
        }
    }

    @Test func `a light terminal gets dark blocks`() throws {
        try withTokenServer { url in
            let out = understudy("otp", "start", "--light", "--wait", "0s", "--url", url).out
            let id = try #require(try Self.open(url).first?.id)
            let symbol = try QRCode(text: FakeTokenServer.otp(of: id)).terminal(
                usesColour: false, background: .light)
            #expect(out.hasPrefix(symbol))
        }
    }

    @Test(
        arguments: [
            (["otp"], "understudy: otp needs one of start, list, confirm, deny, expire"),
            (["otp", "confirm"], "understudy: expected: understudy otp confirm ID"),
            (["otp", "confrim", "1"], "understudy: otp has no action “confrim”; did you mean confirm?"),
            (
                ["otp", "start", "--client", "portal-api"],
                "understudy: --client expects the client's id and secret, ID:SECRET, not “portal-api”"
            ),
            (
                ["otp", "start", "--wait", "soon"],
                "understudy: --wait expects a time such as 10s, 500ms, 5m or 1h, not “soon”"
            ),
        ])
    func `wrong usage is told`(_ line: [String], _ said: String) {
        let recorder = Recorder()
        #expect(Program.run(line, recorder.terminal) == 2)
        #expect(lines(recorder.error).first == said)
    }
}
