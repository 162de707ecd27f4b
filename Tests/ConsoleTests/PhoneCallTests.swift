import HTTP
import TestKit
import Testing

@testable import Console

/// Phones by the control API; what their apps do has tests of its own.
@Suite struct PhoneCallTests {
    @Test func `a phone is made, changed, listed and deleted`() throws {
        let bench = try ConsoleBench()

        let made = bench.post("/phones", "{\"name\": \"ada\", \"owner\": \"ada\", \"model\": \"android\"}")
        #expect(made.status == .created)
        #expect(made.headers["Location"] == "http://localhost:8420/_understudy/v1/phones/ada")
        let changed = bench.send(
            .patch, ConsoleBench.root + "/phones/ada",
            body:
                "{\"owner\": null, \"clockSkew\": -60, \"policy\": \"approve after 3 s\", \"network\": \"offline\"}",
            headers: ["Content-Type": "application/json"])
        #expect(changed.status == .ok)
        #expect(changed.fields["owner"] == nil && changed.fields["policy"] == "approve after 3 s")
        #expect(bench.get("/phones/ada").bytes == changed.bytes)
        #expect(bench.delete("/phones/ada").status == .noContent)
        #expect(bench.get("/phones").text == "{\"phones\":[]}")
    }

    @Test func `what is wrong with an order is told, and nothing is made`() throws {
        let bench = try ConsoleBench()

        #expect(
            bench.post("/phones", "{\"name\": \"Ada!\"}").detail(400)
                == "The name of a phone is 1 to 40 of the characters a-z, 0-9 and -, not “Ada!”.")
        #expect(
            bench.post("/phones", "{\"name\": \"ada\", \"policy\": \"maybe\"}").detail(400)
                == "The value of “policy” must be manual, approve, decline, ignore, “approve after 3 s”, "
                + "“decline after 3 s” or “wrong PIN twice, then right”, but is “maybe”.")
        #expect(bench.get("/phones").text == "{\"phones\":[]}")
        #expect(bench.post("/phones", "{\"name\": \"ada\"}").status == .created)
        #expect(
            bench.post("/phones", "{\"name\": \"ada\"}").detail(409)
                == "There is a phone “ada” in this world already.")
    }

    @Test(arguments: ["/scan", "/enrol", "/approve", "/decline", "/sign", "/do"])
    func `a phone that is not there does nothing`(_ path: String) throws {
        let bench = try ConsoleBench()
        let body = path == "/scan" ? "{\"text\": \"x\"}" : path == "/do" ? "{\"action\": \"log-out\"}" : "{}"

        #expect(
            bench.post("/phones/nobody" + path, body).detail(404)
                == "There is no phone “nobody” in this world.")
    }

    @Test func `a phone without an app has nothing to show, and knows no code`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/phones", "{\"name\": \"ada\"}")

        #expect(bench.get("/phones/ada/pending").text == "{\"requests\":[]}")
        #expect(bench.get("/phones/ada/messages").text == "{\"messages\":[]}")
        #expect(
            bench.post("/phones/ada/approve", "{}").detail(404)
                == "No request is waiting on the phone “ada”.")
        #expect(
            bench.post("/phones/ada/scan", "{\"text\": \"hello\"}").detail(422)
                .hasPrefix("No app on the phone knows what to do with “hello”."))
        #expect(
            bench.post("/phones/ada/scan", "{\"text\": \"data:image/png;base64,AAAA\"}").detail(400)
                .hasPrefix("Only the PNG and SVG files are read"))
        #expect(
            bench.post("/phones/ada/enrol", "{}").detail(422)
                == "The phone “ada” has no owner to enrol; set its owner, or scan a code."
        )
    }

    @Test func `a world has a hundred phones at most`() throws {
        let bench = try ConsoleBench()
        for number in 1...100 {
            #expect(bench.post("/phones", "{\"name\": \"p\(number)\"}").status == .created)
        }
        #expect(
            bench.post("/phones", "{\"name\": \"more\"}").detail(409).hasPrefix(
                "A world has at most 100 phones"))
    }
}
