import HTTP
import TestKit
import Testing

@testable import Console

@Suite struct HandoutTests {
    struct List: Decodable {
        struct Helper: Decodable { let language, file, url: String }
        let version: String
        let helpers: [Helper]
    }

    @Test(arguments: ["/helpers", "/helpers/"])
    func `the list names a file and an address for each language`(_ path: String) throws {
        let listed = try ConsoleBench().get(path).json(List.self)

        let python = try #require(listed.helpers.first { $0.language == "python" })
        #expect(listed.version == "1.2.3" && listed.helpers.map(\.language) == Handouts.helpers.words)
        #expect(python.file == "understudy.py")
        #expect(python.url == "http://localhost:8420/_understudy/v1/helpers/python")
    }

    @Test(arguments: Handouts.helpers.words)
    func `every helper is there, says its version, and is no longer than 300 lines`(_ language: String) throws
    {
        let bench = try ConsoleBench()
        let file = try #require(Handouts.helpers.file(language))

        let served = bench.get("/helpers/" + language)
        let text = String(decoding: served.bytes, as: UTF8.self)
        #expect(served.status == .ok && served.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(served.headers["Content-Disposition"] == "attachment; filename=\"\(file)\"")
        #expect(text.prefix(200).contains("Understudy 1.2.3 ") && !text.contains("@VERSION@"))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 301)
        #expect(bench.get("/helpers/" + file).bytes == served.bytes)
    }

    @Test(arguments: [
        ("kotlin", "class Worlds : ", "org.junit.rules"),
        ("kotlin-junit4", "class WorldRule(", "org.junit.jupiter"),
    ])
    func `a helper for a test runner has nothing of the other's`(
        _ language: String, _ own: String, _ others: String
    ) throws {
        let text = String(decoding: try ConsoleBench().get("/helpers/" + language).bytes, as: UTF8.self)

        #expect(text.contains(own) && !text.contains(others))
        #expect(!text.contains("// BEGIN") && !text.contains("// END") && text.contains("class JSON("))
    }

    @Test func `helpers need no token`() throws {
        let bench = try ConsoleBench(token: "secret")

        #expect(bench.get("/helpers").status == .ok && bench.get("/helpers/python").status == .ok)
        #expect(bench.get("/worlds").status == .unauthorized)
    }

    @Test(arguments: ["cobol", "..%2Fapp.js", "understudy.pyc", "python%00"])
    func `a language without a helper is a 404 with those that have one`(_ name: String) throws {
        let detail = try ConsoleBench().get("/helpers/" + name).detail(404)

        #expect(detail.hasPrefix("There is no helper ") && detail.contains("javascript, "))
    }

    // MARK: - Stubs

    @Test(arguments: ["/stubs", "/stubs/"])
    func `the list names every stub and its address`(_ path: String) throws {
        struct List: Decodable {
            struct Stub: Decodable { let file, url: String }
            let version: String
            let stubs: [Stub]
        }
        let listed = try ConsoleBench(token: "secret").get(path).json(List.self)

        #expect(listed.version == "1.2.3")
        #expect(
            listed.stubs.map(\.file) == [
                "NextAuth.kt", "NextAuth.swift", "OneginiSDK-android.tar", "OneginiSDK.swift",
            ])
        #expect(listed.stubs[0].url == "http://localhost:8420/_understudy/v1/stubs/NextAuth.kt")
    }

    @Test(arguments: Handouts.stubs.words)
    func `every stub is there, needs no token, and says what it is and its version`(_ word: String) throws {
        let bench = try ConsoleBench(token: "secret")
        let file = try #require(Handouts.stubs.file(word))

        let served = bench.get("/stubs/" + file)
        let text = String(decoding: served.bytes, as: UTF8.self)
        let type = file.hasSuffix(".tar") ? "application/x-tar" : "text/plain; charset=utf-8"
        #expect(served.status == .ok && served.headers["Content-Type"] == type)
        #expect(served.headers["Content-Disposition"] == "attachment; filename=\"\(file)\"")
        #expect(text.contains("fits Understudy 1.2.3;") && !text.contains("@VERSION@"))
        #expect(text.contains("Not the vendor's code"))
        #expect(bench.get("/stubs/" + word).bytes == served.bytes)
    }

    @Test(arguments: ["NextAuth.java", "..%2Fapp.js", "NextAuth"])
    func `an SDK without a stub is a 404 with those that have one`(_ name: String) throws {
        let detail = try ConsoleBench().get("/stubs/" + name).detail(404)

        #expect(detail.hasPrefix("There is no stub ") && detail.contains("nextauth.kt, "))
    }
}
