import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct StatusTests {
    @Test func `health and readiness tell the version`() throws {
        let bench = try ConsoleBench()

        #expect(bench.get("/health").fields == ["status": "ok", "version": "1.2.3"])
        #expect(bench.get("/ready").fields == ["status": "ok", "version": "1.2.3"])
    }

    @Test func `a program that is still starting is healthy but not ready`() throws {
        let bench = try ConsoleBench(isReady: false)

        #expect(bench.get("/health").status == .ok)
        #expect(bench.get("/ready").detail(503) == "The program has not finished starting.")
    }

    @Test func `a world introduces itself`() throws {
        let bench = try ConsoleBench(
            fixtures: """
                {"people": [{"id": "ada", "name": "Ada", "email": "ada@example.com", "story": "Fresh."}]}
                """)

        struct Info: Decodable {
            struct Platform: Decodable, Equatable {
                struct URLs: Decodable, Equatable {
                    let this, host, simulator, emulator: String
                    let lan: [String]
                    var container, port: String?
                }
                let name, title: String
                let urls: URLs
            }
            struct Person: Decodable, Equatable { let id, name, email, story: String }
            let version, world, now: String
            let frozen: Bool
            let people: [Person]
            let platforms: [Platform]
            let worlds: [String]
            let adbReverse: [String]
        }
        let info = try bench.get("/info").json(Info.self)
        #expect(info.version == "1.2.3")
        #expect(info.world == "default")
        #expect(info.now == "2026-01-02T03:04:05.000Z")
        #expect(!info.frozen)
        #expect(info.people == [.init(id: "ada", name: "Ada", email: "ada@example.com", story: "Fresh.")])
        #expect(info.worlds == ["default"])
        #expect(
            info.platforms == [
                .init(
                    name: "acme", title: "Acme",
                    urls: .init(
                        this: "http://localhost:8420/acme", host: "http://acme.localhost:8420",
                        simulator: "http://localhost:8420/acme", emulator: "http://10.0.2.2:8420/acme",
                        lan: ["http://192.168.1.5:8420/acme", "http://[fe80::1]:8420/acme"]))
            ])
        #expect(info.adbReverse == ["adb reverse tcp:8420 tcp:8420"])
    }

    /// Host header, path, and the base URLs that follow from them.
    @Test(
        arguments: [
            ("localhost:8420", "", "http://localhost:8420/acme", "http://acme.localhost:8420"),
            (
                "localhost:8420", "/w/blue", "http://localhost:8420/w/blue/acme",
                "http://blue--acme.localhost:8420"
            ),
            ("acme.localhost:8420", "", "http://localhost:8420/acme", "http://acme.localhost:8420"),
            ("blue--acme.localhost", "", "http://localhost/w/blue/acme", "http://blue--acme.localhost"),
            ("[::1]:9", "", "http://[::1]:9/acme", "http://acme.localhost:9"),
            ("[::1]", "", "http://[::1]/acme", "http://acme.localhost"),
            ("192.168.1.5:8420", "", "http://192.168.1.5:8420/acme", nil),
            // What only an emulator calls this machine.
            ("10.0.2.2:8420", "", "http://localhost:8420/acme", nil),
            (
                "host.docker.internal:8420", "", "http://localhost:8420/acme",
                "http://acme.localhost:8420"
            ),
        ] as [(String, String, String, String?)])
    func `base URLs follow from how the caller reached us`(
        _ host: String, _ world: String, _ this: String, _ own: String?
    ) throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")

        let text = bench.send(.get, world + "/_understudy/v1/info", headers: ["Host": host]).text
        #expect(text.contains("\"this\":\"\(this)\""), "\(text)")
        if let own {
            #expect(text.contains("\"host\":\"\(own)\""), "\(text)")
        } else {
            #expect(!text.contains("\"host\":"), "\(text)")
        }
    }

    @Test func `answers are not kept by anybody`() throws {
        let response = try ConsoleBench().get("/health")
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    }
}
