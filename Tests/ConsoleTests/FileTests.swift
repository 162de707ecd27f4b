import HTTP
import TestKit
import Testing

@testable import Console

@Suite struct FileTests {
    @Test(
        arguments: [
            ("app.css", "text/css; charset=utf-8"), ("app.js", "text/javascript; charset=utf-8"),
            ("favicon.svg", "image/svg+xml"),
        ])
    func `a file has its type and is not sent twice`(_ name: String, _ type: String) throws {
        let bench = try ConsoleBench()

        let first = bench.send(.get, "/_console/" + name)
        #expect(first.status == .ok)
        #expect(first.headers["Content-Type"] == type)
        #expect(first.bytes == ConsoleBench.file(name))
        #expect(first.headers["Cache-Control"] == "no-cache")
        let tag = try #require(first.headers["ETag"])
        #expect(tag.wholeMatch(of: /"[!#-~]+"/) != nil)

        for value in [tag, "W/" + tag, "\"other\", " + tag, "*"] {
            let again = bench.send(.get, "/_console/" + name, headers: ["If-None-Match": value])
            #expect(again.status == .notModified && again.bytes.isEmpty)
            #expect(again.headers["ETag"] == tag)
        }
        #expect(bench.send(.get, "/_console/" + name, headers: ["If-None-Match": "\"other\""]).status == .ok)
    }

    @Test(
        arguments: [
            "none.css", "page.html", "openapi.json", "", "..", "../Package.swift", "..%2FPackage.swift",
            "%2e%2e/Package.swift", "%2Fetc%2Fpasswd", "/etc/passwd", "app.css%00", "a/../app.css",
            ".hidden.css", "app.css/",
            "css", "%FF.css",
        ])
    func `what is no file of the pages is not there`(_ name: String) throws {
        let bench = try ConsoleBench()
        #expect(bench.send(.get, "/_console/" + name).detail(404).hasPrefix("The console has no file"))
    }

    @Test func `files are only read`() throws {
        let refused = try ConsoleBench().send(.post, "/_console/app.css")
        #expect(refused.status == .methodNotAllowed)
        #expect(refused.headers["Allow"] == "GET, HEAD")
    }
}
