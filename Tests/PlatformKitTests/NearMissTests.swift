import HTTP
import PlatformKit
import TestKit
import Testing

/// A path that nobody has, and what its client meant.
@Suite struct NearMissTests {
    private static let rest = " The platforms live under /acme."

    @Test(arguments: [
        (
            "/where",
            "Nothing answers at /where. This exists at /acme/where; the client left out the path of its base URL."
        ),
        (
            "/notes/7",
            "Nothing answers at /notes/7. This exists at /acme/notes/7; the client left out the path of its base URL."
        ),
        (
            "/break/",
            "Nothing answers at /break/. Did you mean /acme/break?"
        ),
        ("/v1/where", "Nothing answers at /v1/where. Did you mean /acme/where?"),
        ("/v1/acme/where", "Nothing answers at /v1/acme/where. Did you mean /acme/where?"),
        ("/akme/where", "Nothing answers at /akme/where. Did you mean /acme/where?"),
        ("/nothing/like/it", "Nothing answers at /nothing/like/it."), ("/7", "Nothing answers at /7."),
    ])
    func `a lost path is told where it exists, in the answer and in the journal`(
        _ path: String, _ sentence: String
    ) throws {
        let bench = try TestBench(Acme.self)
        let response = bench.get(path)
        #expect(response.status == .notFound)
        #expect(response.fields["detail"] == sentence + Self.rest)
        #expect(bench.explanation == sentence + Self.rest)
    }

    @Test func `another method is named, and the world keeps its place`() throws {
        let bench = try TestBench(Acme.self)
        #expect(bench.get("/notes").fields["detail"]?.contains("This exists at /acme/notes (POST);") == true)
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)
        let lost = bench.get("/w/blue/where").fields["detail"]
        #expect(lost?.contains("This exists at /w/blue/acme/where; the client") == true, "\(lost ?? "")")
    }

    @Test(arguments: [
        ("/acme/v1/where", "/acme/where"), ("/acme/wheer", "/acme/where"), ("/acme/Where", "/acme/where"),
        ("/acme//where", "/acme/where"), ("/acme/notes/7/", "/acme/notes/7"),
        ("/acme/note/7", "/acme/notes/7"), ("/acme/acme/where", "/acme/where"),
        ("/acme/acme/v1/notes/7", "/acme/notes/7"),
    ])
    func `a platform's own refusal keeps its shape, and the journal says what is near`(
        _ path: String, _ near: String
    ) throws {
        let bench = try TestBench(Acme.self)
        let response = bench.get(path)
        #expect(response.status == .notFound)
        #expect(!response.text.contains("mean"))
        #expect(bench.explanation == "Nothing answers at \(path). Did you mean \(near)?")
    }

    @Test func `a path of any length is refused at once`() throws {
        let bench = try TestBench(Acme.self)
        for path in [String(repeating: "/a", count: 4000), "/" + String(repeating: "where", count: 2000)] {
            #expect(bench.get(path).status == .notFound)
            #expect(bench.explanation?.contains("mean") == false)
        }
    }
}
