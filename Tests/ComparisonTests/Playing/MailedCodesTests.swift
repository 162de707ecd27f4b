import Essentials
import HTTP
import Testing

@testable import Comparison

/// Which code of our outbox stands for which recorded one.
@Suite struct MailedCodesTests {
    /// Requests that each send a code of six digits, and were answered with 200.
    private func codes(_ sent: [String]) throws -> MailedCodes {
        let entries = sent.map { code in
            #"{"startedDateTime":"2026-01-02T03:04:05Z","time":1,"request":{"method":"POST","url":"https://a.example/x","headers":[],"#
                + #""postData":{"mimeType":"application/json","text":"{\"code\":\"\#(code)\"}"}},"response":{"status":200,"headers":[]}}"#
        }.joined(separator: ",")
        return MailedCodes(in: try HARReader.exchanges(in: Array(#"{"log":{"entries":[\#(entries)]}}"#.utf8)))
    }

    private func stage(_ codes: [String]) -> Stage {
        Stage(
            base: "http://127.0.0.1:1", setClock: { _ in },
            send: { _, _, _, _ in Stage.Answer(status: 200, headers: [:], body: []) },
            sent: { codes.map { Stage.Sent(to: "ada@example.com", code: $0, link: nil) } },
            passkey: { _ in throw Unsendable("no authenticator is here") }, fixtures: { [] })
    }

    private func ours(_ found: MailedCodes.Found) -> String? {
        if case .ours(let code, _) = found { code } else { nil }
    }

    @Test func `the newest of its length`() throws {
        let found = try codes(["111111"]).code(
            "code", "111111", from: stage(["4444", "222222", "333333"]), taken: [:])
        #expect(ours(found) == "222222")
    }

    @Test func `one that stands for another is not sent twice`() throws {
        let codes = try codes(["111111", "555555"])
        guard case .foreign = try codes.code("code", "555555", from: stage(["222222"]), taken: ["222222": 1])
        else {
            Issue.record("a used code was taken again")
            return
        }
        let older = try codes.code("code", "555555", from: stage(["222222", "333333"]), taken: ["222222": 1])
        #expect(ours(older) == "333333")
    }

    @Test func `a world whose codes are fixed sends the same one again`() throws {
        let found = try codes(["111111", "555555"]).code(
            "code", "555555", from: stage(["222222", "222222"]), taken: ["222222": 1])
        #expect(ours(found) == "222222")
    }
}
