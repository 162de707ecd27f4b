import HTTP
import TestKit
import Testing

@testable import Console

/// Single users; what a platform makes of them is its own tests' matter.
@Suite struct UserTests {
    @Test
    func `a platform whose users are not changed one by one says so, and so does one that is not there`()
        throws
    {
        let bench = try ConsoleBench()
        let call = ConsoleBench.root + "/users/acme/ada"
        #expect(bench.get("/users/acme/ada").detail(404).hasSuffix("are not changed one by one."))
        for method in [Request.Method.put, .patch] {
            let answer = bench.send(
                method, call, body: "{}", headers: ["Content-Type": "application/json"])
            #expect(answer.detail(404).hasSuffix("are not changed one by one."))
        }
        #expect(bench.get("/users/none/ada").detail(404).hasPrefix("There is no platform “none”"))
    }

    @Test func `the body is a JSON object`() throws {
        let bench = try ConsoleBench()
        let call = ConsoleBench.root + "/users/acme/ada"
        for body in ["[]", "7", "", "{"] {
            let answer = bench.send(.put, call, body: body, headers: ["Content-Type": "application/json"])
            #expect(answer.detail(400).hasPrefix("The body"), "\(body)")
        }
        #expect(bench.send(.put, call, body: "{}").detail(415).hasSuffix("without a content type."))
    }
}
