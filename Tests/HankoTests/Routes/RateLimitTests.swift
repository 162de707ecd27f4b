import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct RateLimitTests {
    private let path = "/hanko/passcode/login/initialize"

    private func standing(_ response: Response) -> [String?] {
        ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"].map {
            response.headers[$0]
        }
    }

    @Test func `three calls a minute, then 429 until the bucket is full again`() throws {
        let bench = try TestBench.classic()

        for remaining in ["2", "1", "0"] {
            let response = try bench.post(path, ["user_id": Ada.id])
            #expect(response.status == .ok)
            #expect(standing(response) == ["3", remaining, "60", nil])
        }
        try bench.clock.advance(seconds: 18.5)
        let refused = try bench.post(path, ["user_id": Ada.id])
        #expect(refused.status == .tooManyRequests)
        #expect(refused.text == refusal(429, "Too Many Requests"))
        #expect(standing(refused) == ["3", "0", "41", "41"])
        #expect(bench.explanation?.contains("41 s") == true)
        #expect(try bench.messages.count == 3)

        try bench.clock.advance(seconds: 41.5)
        let again = try bench.post(path, ["user_id": Ada.id])
        #expect(again.status == .ok)
        #expect(standing(again) == ["3", "2", "60", nil])
    }

    @Test func `users and client addresses have buckets of their own`() throws {
        let bench = try TestBench.classic()
        for _ in 1...3 { _ = try bench.post(path, ["user_id": Ada.id]) }

        #expect(try bench.post(path, ["user_id": Grace.id]).status == .ok)
        #expect(try bench.post(path, ["user_id": Ada.id]).status == .tooManyRequests)
        let other = bench.send(
            Request(
                .post, path, headers: ["Content-Type": "application/json"],
                body: Array("{\"user_id\":\"\(Ada.id)\"}".utf8),
                peer: Request.Peer(address: "192.0.2.7", isLoopback: false, isSecure: false)))
        #expect(other.status == .ok)
    }

    @Test func `limits follow the fixtures`() throws {
        let bench = try TestBench.classic(
            config: "\"rate_limiter\": {\"passcode_limits\": {\"tokens\": 1, \"interval\": \"1h30m\"}}")

        #expect(standing(try bench.post(path, ["user_id": Ada.id])) == ["1", "0", "5400", nil])
        #expect(try bench.post(path, ["user_id": Ada.id]).status == .tooManyRequests)
    }

    @Test func `without a limiter nothing is counted or told`() throws {
        let bench = try TestBench.classic(config: "\"rate_limiter\": {\"enabled\": false}")

        for _ in 1...10 {
            let response = try bench.post(path, ["user_id": Ada.id])
            #expect(response.status == .ok)
            #expect(standing(response) == [nil, nil, nil, nil])
        }
    }

    @Test func `a clock that is set back gives a full bucket, not a long wait`() throws {
        let bench = try TestBench.classic()
        for _ in 1...3 { _ = try bench.post(path, ["user_id": Ada.id]) }

        try bench.clock.advance(seconds: -86_400)
        #expect(standing(try bench.post(path, ["user_id": Ada.id])) == ["3", "2", "60", nil])
    }

    @Test func `a bucket with a long interval outlives calls whose buckets have a short one`() throws {
        let bench = try TestBench.classic(
            config: "\"rate_limiter\": {\"password_limits\": {\"tokens\": 1, \"interval\": \"1h\"}}")
        let login = ["user_id": Ada.id, "password": "wrong"]
        #expect(try bench.post("/hanko/password/login", login).status == .unauthorized)
        #expect(try bench.post("/hanko/password/login", login).status == .tooManyRequests)

        try bench.clock.advance(seconds: 180)
        #expect(try bench.post(path, ["user_id": Ada.id]).status == .ok)
        #expect(try bench.post("/hanko/password/login", login).status == .tooManyRequests)
    }

    @Test func `buckets that are full again are not kept`() throws {
        let bench = try TestBench.classic()
        _ = try bench.post(path, ["user_id": Ada.id])
        try bench.clock.advance(seconds: 121)
        _ = try bench.post(path, ["user_id": Grace.id])

        let kept = try bench.world.database.read { try $0.all(RateLimitBucket.self) }
        #expect(kept.map { $0.key.contains(Grace.id) } == [true])
    }
}
