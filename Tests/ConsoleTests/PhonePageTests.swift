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

    @Test func `a phone has screens, each with an address`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/phones", "{\"name\": \"ada\"}")

        for (path, title) in [("", "Home"), ("/scan", "Scan"), ("/settings", "Settings")] {
            let page = bench.send(.get, "/phones/ada" + path)
            #expect(page.status == .ok)
            #expect(page.text.contains("<a href=\"/phones/ada\(path)\" aria-current=\"page\">\(title)</a>"))
            #expect(page.text.contains("data-address=\"/phones/ada\(path)\""))
            #expect(page.text.firstMatch(of: /<script>|<style|style=| on[a-z]+=/) == nil)
        }
        for path in [
            "/phones/eve", "/phones/eve/scan", "/phones/ada/apps/acme", "/phones/ada/apps/acme/work",
        ] {
            let page = bench.send(.get, path)
            #expect(page.status == .notFound && page.text.contains("<h1>Not found</h1>"), "\(path)")
        }
    }

    @Test func `what a phone asked is found however much is newer`() throws {
        let bench = try ConsoleBench()
        for name in ["ada", "ada-2"] { _ = bench.post("/phones", "{\"name\": \"\(name)\"}") }
        for (name, path) in [("ada", "first"), ("ada-2", "second")] {
            _ = bench.send(.get, "/acme/" + path, headers: ["X-Request-Id": "phone.\(name).1"])
        }
        for _ in 1...300 { _ = bench.send(.get, "/acme/hello") }

        let page = bench.send(.get, "/phones/ada").text
        #expect(page.contains(">GET /acme/first</a>"))
        #expect(!page.contains("/acme/second") && !page.contains("/acme/hello"))
        #expect(page.contains("<a href=\"/journal?q=phone.ada.\">"))
    }

    private func submit(_ bench: ConsoleBench, _ form: String) -> Response {
        bench.send(
            .post, "/phones/ada", body: form,
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8420",
                "Sec-Fetch-Site": "same-origin",
            ])
    }

    @Test func `a phone is deleted after a question alone`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/phones", "{\"name\": \"ada\"}")

        let asked = submit(bench, "action=delete&screen=settings")
        #expect(asked.status == .ok && asked.text.contains("<h1>Delete phone: are you sure?</h1>"))
        #expect(asked.text.contains("<a href=\"/phones/ada/settings\">Cancel</a>"))
        #expect(bench.get("/phones/ada").status == .ok)
        let done = submit(bench, "action=delete&sure=yes")
        #expect(done.status == .seeOther && done.headers["Location"] == "/phones")
        #expect(bench.get("/phones/ada").status == .notFound)
    }

    @Test func `a form leads back to the screen that it stood on, and keeps what was typed`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/phones", "{\"name\": \"ada\"}")

        for skew in ["soon", "-1.5", "1000000"] {
            let form = "action=settings&screen=settings&input.network=slow&input.clock_skew=\(skew)"
            let refused = submit(bench, form)
            #expect(refused.status == .badRequest && refused.text.contains("not by “\(skew)”"))
            #expect(refused.text.contains("value=\"\(skew)\""))
            #expect(bench.get("/phones/ada").fields["network"] == "online")
        }
        let saved = submit(bench, "action=settings&screen=settings&input.network=slow")
        #expect(saved.headers["Location"] == "/phones/ada/settings")
        #expect(bench.get("/phones/ada").fields["network"] == "slow")
        let refused = submit(bench, "action=scan&screen=scan&input.text=" + Self.hostile.percentEncoded)
        #expect(refused.status.code >= 400)
        #expect(refused.text.contains("<p class=\"refusal\" role=\"alert\">"))
        #expect(refused.text.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>"))
        #expect(!refused.text.contains("<script>alert"))
        #expect(submit(bench, "action=dance").text.contains("There is no such button."))
    }
}
