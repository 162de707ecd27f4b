import HTTP
import TestKit
import Testing

@testable import Console

/// The page of phones; what a phone does with what it scans has tests of its own.
@Suite struct PhonePageTests {
    private static let hostile = "\"><script>alert(1)</script>"

    @Test func `a code that a link brings waits for a button, one for each phone`() throws {
        let bench = try ConsoleBench()
        for name in ["ada", "eva"] { _ = bench.post("/phones", "{\"name\": \"\(name)\"}") }

        let page = bench.send(.get, "/phones?scan=" + Self.hostile.percentEncoded)

        #expect(page.status == .ok)
        #expect(!page.text.contains("<script>alert"))
        #expect(
            page.text.contains(
                "name=\"input.text\" value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""))
        for name in ["ada", "eva"] {
            #expect(
                page.text.contains(
                    "<button formaction=\"/phones/\(name)\">Scan with the phone \(name)</button>"))
        }
        #expect(bench.get("/phones/ada/pending").text == "{\"requests\":[]}", "nobody has pressed one")
        #expect(!bench.send(.get, "/phones").text.contains("scan-title"))
        #expect(!bench.send(.get, "/phones?scan=").text.contains("scan-title"))
    }

    @Test func `in a world without phones it says what to do`() throws {
        let page = try ConsoleBench().send(.get, "/phones?scan=code").text

        #expect(page.contains("This world has no phones yet."))
        #expect(!page.contains("formaction"))
    }

    @Test func `the token comes first, and the code is not lost by it`() throws {
        let bench = try ConsoleBench(token: "secret-token")

        #expect(bench.send(.get, "/phones?scan=code").status == .unauthorized)
        let admitted = bench.send(.get, "/phones?scan=code&token=secret-token")
        #expect(admitted.headers["Location"] == "/phones?scan=code")
    }
}
