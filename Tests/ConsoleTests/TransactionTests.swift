import Dispatch
import Essentials
import HTTP
import TestKit
import Testing

@testable import Console
@testable import PlatformKit

@Suite struct TransactionTests {
    private struct List: Decodable {
        struct One: Decodable { let id: String }
        let transactions: [One]
    }

    private struct One: Decodable {
        struct Step: Decodable { let state: String }
        let state: String
        let steps: [Step]
    }

    private func ids(_ response: Response) throws -> [String] {
        try response.json(List.self).transactions.map(\.id)
    }

    private func state(_ response: Response) throws -> String { try response.json(One.self).state }

    /// A console in whose world the questions `a` and, ten seconds later, `b` wait for an answer.
    private func asked() throws -> ConsoleBench {
        let bench = try ConsoleBench()
        try Acme(bench.world).ask("a")
        bench.time.advance(seconds: 10)
        try Acme(bench.world).ask("b", code: nil)
        return bench
    }

    /// Does something on another thread as soon as somebody waits.
    private func whenWatched(_ bench: ConsoleBench, _ body: @escaping @Sendable () throws -> Void) {
        DispatchQueue.global().async {
            while !bench.world.journal.isWatched {}
            do { try body() } catch { Issue.record(error) }
        }
    }

    // MARK: looking

    @Test func `a transaction is given with everything that is known of it`() throws {
        let bench = try asked()

        let shown = bench.get("/transactions/a")
        #expect(shown.status == .ok)
        #expect(
            shown.fields == [
                "id": "a", "platform": "acme", "kind": "otp", "title": "Log in?", "state": "INITIALIZED",
                "open": "true", "createdAt": "2026-01-02T03:04:05.000Z",
                "expiresAt": "2026-01-02T03:09:05.000Z", "secondsLeft": "290", "code": "acme:1234",
                "page": "http://localhost:8420/acme/sdk/v1/qr/a?key=1",
            ])
        #expect(shown.text.contains("\"actions\":[\"confirm\",\"confirm:ada\",\"deny\"]"))
        #expect(
            shown.text.contains("\"steps\":[{\"at\":\"2026-01-02T03:04:05.000Z\",\"state\":\"INITIALIZED\"}]")
        )
        #expect(shown.text.contains("\"notices\":[]"))
        #expect(shown.text.contains("\"facts\":[{\"name\":\"Amount\",\"value\":\"<100>\"}]"))

        let denied = bench.send(.post, ConsoleBench.root + "/transactions/a/deny")
        #expect(denied.fields["user"] == "grace" && denied.fields["secondsLeft"] == nil)
        #expect(denied.text.contains("\"duration\":3.413") && denied.text.contains("\"status\":503"))
    }

    @Test func `transactions are listed newest first, and chosen`() throws {
        let bench = try asked()
        #expect(try ids(bench.get("/transactions")) == ["b", "a"])

        _ = bench.send(.post, ConsoleBench.root + "/transactions/a/confirm:ada")
        #expect(try ids(bench.get("/transactions?open=true")) == ["b"])
        #expect(try ids(bench.get("/transactions?open=false")) == ["a"])
        #expect(try ids(bench.get("/transactions?user=ada")) == ["a"])
        #expect(try ids(bench.get("/transactions?state=initialized")) == ["b"])
        #expect(try ids(bench.get("/transactions?platform=acme&limit=1")) == ["b"])
        #expect(try ids(bench.get("/transactions?platform=onegini")) == [])
        #expect(
            bench.get("/transactions?open=maybe").detail(400)
                == "The value of “open” must be true or false, but is “maybe”.")
    }

    @Test func `a transaction of another world is unknown here`() throws {
        let bench = try asked()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")

        #expect(try ids(bench.send(.get, "/w/blue" + ConsoleBench.root + "/transactions")) == [])
        #expect(
            bench.send(.get, "/w/blue" + ConsoleBench.root + "/transactions/a").detail(404)
                == "The world blue has no transaction “a”.")
    }

    @Test func `the code is drawn, where there is one`() throws {
        let bench = try asked()

        let picture = bench.get("/transactions/a/qr?format=png")
        #expect(picture.headers["Content-Type"] == "image/png" && picture.bytes.starts(with: [0x89, 0x50]))
        #expect(
            bench.get("/transactions/a/qr?format=gif").detail(400).hasSuffix("svg or png, but is “gif”."))
        let symbol = bench.get("/transactions/a/qr")
        #expect(symbol.headers["Content-Type"] == "image/svg+xml")
        // Nine bytes fit into version 1, 21 modules a side (ISO/IEC 18004, table 7), and four are left free on each side.
        #expect(symbol.text.hasPrefix("<svg ") && symbol.text.contains("viewBox=\"0 0 29 29\""))
        #expect(
            bench.get("/transactions/b/qr").detail(404) == "The transaction b has no code to show.")
        try Acme(bench.world).ask("long", code: String(repeating: "x", count: 3000))
        #expect(
            bench.get("/transactions/long/qr").detail(404)
                == "The code of the transaction long does not fit into a QR code: it has 3000 bytes.")
        #expect(bench.get("/transactions/none/qr").status == .notFound)
    }

    // MARK: waiting

    @Test func `who waits for a transaction has it when it is started`() throws {
        let bench = try ConsoleBench()
        whenWatched(bench) {
            bench.world.services.journal.event("noise", "Nothing of interest happened.")
            try Acme(bench.world).ask("a")
        }

        // Sixty seconds are the bound of a test that fails, not what it takes.
        #expect(try ids(bench.get("/transactions?open=true&wait=60")) == ["a"])
    }

    @Test func `who waits for a state has it when it is reached`() throws {
        let bench = try asked()
        whenWatched(bench) {
            _ = bench.send(.post, ConsoleBench.root + "/transactions/a/fetch")
            _ = bench.send(.post, ConsoleBench.root + "/transactions/a/confirm")
        }
        #expect(try state(bench.get("/transactions/a?state=AUTHENTICATED&wait=60")) == "AUTHENTICATED")
    }

    @Test func `who waits for the next step has it when it is taken`() throws {
        let bench = try asked()
        #expect(try state(bench.get("/transactions/a?after=0&wait=60")) == "INITIALIZED")

        whenWatched(bench) { _ = bench.send(.post, ConsoleBench.root + "/transactions/a/fetch") }
        let next = try bench.get("/transactions/a?after=1&wait=60").json(One.self)
        #expect(next.steps.map(\.state) == ["INITIALIZED", "FETCHED"])
    }

    @Test func `who waits for the end has it also when time alone brings it`() throws {
        let bench = try asked()
        bench.time.advance(seconds: 289.9)
        // The world's clock shows the expiry without a line in the journal.
        whenWatched(bench) { bench.time.advance(seconds: 1) }

        #expect(try state(bench.get("/transactions/a?settled=true&wait=60")) == "EXPIRED")
    }

    @Test func `what can never come about is not waited for`() throws {
        let bench = try asked()
        _ = bench.send(.post, ConsoleBench.root + "/transactions/a/deny")

        #expect(try state(bench.get("/transactions/a?state=AUTHENTICATED&wait=60")) == "DENIED")
        #expect(try state(bench.get("/transactions/a?after=7&wait=60")) == "DENIED")
    }

    @Test func `when the time is over, the transaction is given as it is`() throws {
        let bench = try asked()
        #expect(try state(bench.get("/transactions/a?state=DENIED&wait=0.01")) == "INITIALIZED")
        #expect(try state(bench.get("/transactions/a?settled=true")) == "INITIALIZED")
        #expect(
            bench.get("/transactions/c?wait=0.01").detail(404)
                == "The world default has no transaction “c”.")
    }

    @Test func `who waits in a world that ends is sent home`() throws {
        let bench = try ConsoleBench()
        whenWatched(bench) { bench.world.close() }
        #expect(try ids(bench.get("/transactions?wait=60")) == [])
    }

    // MARK: acting

    @Test func `an action is done and noted in the journal`() throws {
        let bench = try asked()

        let done = bench.send(.post, ConsoleBench.root + "/transactions/a/confirm:ada")
        #expect(done.status == .ok)
        #expect(done.fields["state"] == "AUTHENTICATED" && done.fields["user"] == "ada")
        let entry = try #require(bench.world.journal.entries().first)
        #expect(entry.event == "transaction changed" && entry.subject == "ada")
        #expect(
            entry.explanation
                == "The action “confirm:ada” was applied to the otp transaction a of Acme: it was INITIALIZED and is "
                + "AUTHENTICATED now.")
    }

    @Test(
        arguments: [
            (
                "a/dance", 400,
                "There is no action “dance” here, only confirm, confirm:ada, deny."
            ),
            ("a/nobody", 409, "Nobody has a device."),
            ("a/refuse", 409, "it was refused, because tests want a refusal"),
            ("old/confirm", 409, "The action “confirm” comes too late: the transaction is EXPIRED."),
            ("none/confirm", 404, "The world default has no transaction “none”."),
        ])
    func `an action that cannot be done is refused with the reason`(
        _ path: String, _ status: Int, _ detail: String
    ) throws {
        let bench = try ConsoleBench()
        try Acme(bench.world).ask("old")
        bench.time.advance(seconds: 300)
        try Acme(bench.world).ask("a")

        #expect(
            bench.send(.post, ConsoleBench.root + "/transactions/" + path).detail(Status(code: status))
                == detail)
        #expect(try state(bench.get("/transactions/a")) == "INITIALIZED")
        if status != 404 {
            let entry = try #require(bench.world.journal.entries().first)
            #expect(entry.event == "transaction not changed")
            #expect(entry.explanation?.hasSuffix(detail) == true)
        }
    }

    @Test func `an action is a POST`() throws {
        let bench = try asked()
        #expect(bench.get("/transactions/a/confirm").detail(405).hasSuffix("does not answer GET, only POST."))
        #expect(bench.send(.post, ConsoleBench.root + "/transactions/a").status == .methodNotAllowed)
    }

    @Test func `a page of another site decides nothing`() throws {
        let bench = try asked()
        let refused = bench.send(
            .post, ConsoleBench.root + "/transactions/a/confirm", headers: ["Origin": "https://evil.example"])
        #expect(refused.status == .forbidden)
        #expect(try state(bench.get("/transactions/a")) == "INITIALIZED")
    }
}
