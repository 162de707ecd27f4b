import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct FlowFixtureTests {
    @Test func `a flow that is under way goes on in a world that was exported`() throws {
        let bench = try TestBench.flows()
        var client = try RegistrationFlowTests.confirmed(bench)
        try client.run("register_password", ["new_password": "correct horse"])
        try client.run("continue_to_otp_secret_creation")
        let secret = try #require(client.payload["otp_secret"]?.string)

        let copy = try TestBench<Hanko>(Hanko.self, fixtures: try bench.exported())
        #expect(try copy.exported() == bench.exported())
        let body: JSON = [
            "csrf_token": .string(client.token), "input_data": ["otp_code": try bench.otp(secret)],
        ]
        let response = copy.post("/hanko" + (try client.href("otp_code_verify")), raw: body.text)
        #expect(try JSON(parsing: response.bytes)["name"] == "success")
    }

    @Test(arguments: [("\"id\": \"x\"", "version 4 UUID")])
    func `a flow of the fixtures has an id`(change: String, problem: String) throws {
        let bench = try TestBench.flows()
        _ = try FlowClient(bench, "/login")
        let id = try #require(try bench.world.database.read { try $0.all(Flow.self).first?.id })

        let broken = try bench.exported()
            .replacing("\"\(id)\"", with: "\"x\"")
        #expect { try TestBench<Hanko>(Hanko.self, fixtures: broken) } throws: { error in
            "\(error)".contains(problem)
        }
    }
}

extension TestBench where P == Hanko {
    fileprivate func exported() throws -> String {
        String(decoding: try worlds.export(world), as: UTF8.self)
    }
}
