import Essentials
import HTTP
import HTTPServer
import PlatformKit
import SQLite
import Sockets
import Synchronization
import TestKit
import Testing

@testable import MIRACL

/// The customer's verifier, which classic servers ask about registrations.
@Suite struct VerifierTests {
    /// Answers what the test says.
    private final class Verifier: Sendable, Responder {
        private let answer: Mutex<Response>
        private let asked = Mutex<[Request]>([])

        init(_ text: String, _ status: Status = .ok) { answer = Mutex(.text(text, status: status)) }

        var requests: [Request] { asked.withLock { $0 } }

        func respond(to request: Request) -> Response {
            asked.withLock { $0.append(request) }
            return answer.withLock { $0 }
        }

        func bodyLimit(_: Request.Method, _: String) -> Int? { nil }

        func run(_ body: (TestBench<MIRACL>) throws -> Void) throws {
            let server = HTTPServer(limits: Limits(), responder: self)
            defer { server.stop(grace: 0) }
            for case .tcp(_, let port) in try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]) {
                let bench = try TestProject.bench(
                    "\"verification_method\": \"custom\", \"verifier_url\": \"http://127.0.0.1:\(port)/verify\","
                )
                try body(bench)
                #expect(bench.misshapenExplanations.isEmpty)
            }
        }
    }

    private func start(_ bench: TestBench<MIRACL>) throws -> Response {
        try bench.put(
            "/miracl/rps/v2/user",
            [
                "userId": "ada@example.org", "deviceName": "phone", "mobile": 1, "userData": "vip",
            ] as [String: JSONValue])
    }

    @Test func `the verifier is asked, and its key verifies the registration later`() throws {
        let verifier = Verifier("")
        try verifier.run { bench in
            let begun = try start(bench).members
            #expect(begun["active"] == false)
            let id = try #require(begun["mpinId"]?.string)
            let asked = try #require(verifier.requests.first)
            #expect(asked.method == .post)
            #expect(asked.headers["RPS-BASE-URL"] == "http://localhost:8420/miracl")
            var question = try JSONValue(parsing: asked.body).object ?? [:]
            let key = try #require(question.removeValue(forKey: "activateKey")?.string)
            let expiry = try #require(question.removeValue(forKey: "expireTime")?.string)
            #expect(expiry.hasSuffix("Z"))
            #expect(
                question == [
                    "userId": "ada@example.org", "mpinId": .string(id), "mobile": 1, "resend": false,
                    "deviceName": "phone", "userData": "vip",
                ])

            #expect(try bench.post("/miracl/rps/user/" + id, ["activateKey": key]).status == .ok)

            let regOTT = begun["regOTT"]?.string ?? ""
            #expect(bench.get("/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)").status == .ok)
        }
    }

    @Test func `a restart asks again and says so`() throws {
        let verifier = Verifier("{}")
        try verifier.run { bench in
            let begun = try start(bench).members
            let id = begun["mpinId"]?.string ?? ""

            let again = try bench.put(
                "/miracl/rps/v2/user/" + id,
                ["userId": "ada@example.org", "regOTT": begun["regOTT"]?.string ?? ""])

            #expect(again.status == .ok)
            let question = try JSONValue(parsing: #require(verifier.requests.last).body)
            #expect(question["resend"] == true)
            #expect(question["mpinId"]?.string == id)
        }
    }

    @Test func `the verifier may be content at once`() throws {
        try Verifier("{\"forceActivate\": true}").run { bench in
            let begun = try start(bench).members

            #expect(begun["active"] == true)
            let (id, regOTT) = (begun["mpinId"]?.string ?? "", begun["regOTT"]?.string ?? "")
            #expect(bench.get("/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)").status == .ok)
        }
    }

    @Test(arguments: [
        ("", Status.forbidden, Status.forbidden, "FORBIDDEN", "The user is not allowed to register"),
        ("", .badGateway, .internalServerError, "INTERNAL_SERVER_ERROR", "The verifier cannot be used"),
        ("no JSON", .ok, .internalServerError, "INTERNAL_SERVER_ERROR", "The verifier cannot be used"),
    ])
    func `a registration that the verifier does not take is gone`(
        _ text: String, _ answered: Status, _ status: Status, _ code: String, _ info: String
    ) throws {
        try Verifier(text, answered).run { bench in
            let refused = try start(bench)

            #expect(refused.status == status)
            #expect(refused.json == refusal(code, info))
            let left = try bench.world.database.read { db in try db.all(Identity.self) }
            #expect(left.isEmpty)
        }
    }

    @Test func `a verifier that does not answer is told`() throws {
        let bench = try TestProject.bench(
            #""verification_method": "custom", "verifier_url": "http://127.0.0.1:1/verify","#)

        #expect(try start(bench).status == .internalServerError)
        #expect(bench.explanation?.contains("verifier_url of the project") == true)
        #expect(bench.misshapenExplanations.isEmpty)
    }
}
