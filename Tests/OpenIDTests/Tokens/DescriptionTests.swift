import Essentials
import HTTP
import TestKit
import Testing

@testable import OpenID

/// What `error_description` says, as far as RFC 6749 §5.2 lets it: ASCII without quotation mark and backslash.
struct DescriptionTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func machine(_ more: [(String, String)]) -> Response {
        bench.ask("/token", [("grant_type", "client_credentials")] + more, as: "machine")
    }

    @Test func `invalid_scope names the scope`() {
        let answer = machine([("scope", "read fly")])
        #expect(answer.refusal == "400 invalid_scope")
        #expect(answer.fields["error_description"]?.contains("fly") == true)
        #expect(answer.fields["error_description"]?.contains("read") == false)
    }

    @Test func `invalid_target names the target`() {
        let answer = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("resource", "https://no.example/api")],
            as: "web")
        #expect(answer.refusal == "400 invalid_target")
        #expect(answer.fields["error_description"]?.contains("https://no.example/api") == true)
    }

    @Test func `what a client sent cannot leave the form of a description`() {
        let answer = machine([("scope", "fly\"\\\u{7}é" + String(repeating: "x", count: 2000))])
        let text = answer.fields["error_description"] ?? ""
        #expect(!text.isEmpty && text.utf8.count <= 300)
        #expect(text.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C })
    }

    @Test func `the browser's answer names the scope too`() throws {
        let browser = Browser(try Cast.bench())
        let answer = browser.open(Cast.request(["scope": "openid fly"])).answer
        #expect(answer["error"] == "invalid_scope")
        #expect(answer["error_description"]?.contains("fly") == true)
    }
}
