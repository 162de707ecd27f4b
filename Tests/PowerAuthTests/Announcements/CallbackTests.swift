import Crypto
import Essentials
import HTTP
import HTTPServer
import PlatformKit
import PowerAuthDevice
import SQLite
import Sockets
import Synchronization
import TestKit
import Testing

@testable import PowerAuth

/// How back ends are told. Source: PowerAuth documentation, callbacks.
struct CallbackTests {
    private static let id = "ca11bac0-0000-4000-8000-000000000001"

    private func fixtures(_ url: String, _ members: String = "") -> String {
        """
        "callbacks": [{"id": "\(Self.id)", "application": "bank", "name": "told",
            "type": "REGISTRATION_STATUS_CHANGE", "url": "\(url)/told"\(members.isEmpty ? "" : ", " + members)}]
        """
    }

    @Test func `what a refusal takes back is told to nobody`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(fixtures(url))
            let (_, id) = try bench.exchanged()
            let told = try bench.events().count
            try bench.awaitCallbacks(told)
            #expect(throws: ActivationRefusal.self) {
                try bench.platform.change { turn in
                    let activations = bench.platform.activations
                    let found = try #require(try activations.find(id, in: turn))
                    _ = try activations.remove(
                        found, by: nil, revokingRecoveryCodes: false, in: turn)
                    throw ActivationRefusal.unknown("another")
                }
            }
            bench.cloud(.delete, "/v2/registrations/\(id)")
            try bench.awaitCallbacks(told + 1)
            #expect(try bench.events().count == told + 1)
            #expect(try receiver.bodies().count == told + 1)
        }
    }

    @Test func `every change of a registration is told, with what was asked for`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(
                fixtures(
                    url, #""attributes": ["userId", "activationStatus", "blockedReason", "applicationId"]"#))
            let (phone, id) = try bench.exchanged()
            bench.cloud(.post, "/v2/registrations/\(id)/commit")
            phone.faults.breaksSignature = true
            for _ in 1...5 { try? phone.validate(with: .pin(OfficeBench.pin)) }
            bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "UNBLOCK"}"#)
            bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "UNBLOCK"}"#)
            bench.cloud(.put, "/v2/registrations/\(id)", #"{"flags": ["A"]}"#)
            bench.cloud(.delete, "/v2/registrations/\(id)")
            try bench.awaitCallbacks(6)

            let bodies = try receiver.bodies()
            #expect(
                bodies.map { $0["activationStatus"]?.string } == [
                    "CREATED", "PENDING_COMMIT", "ACTIVE", "BLOCKED", "ACTIVE", "REMOVED",
                ])
            #expect(
                bodies[3] == [
                    "type": "ACTIVATION", "activationId": .string(id), "userId": "ada",
                    "activationStatus": "BLOCKED", "blockedReason": "MAX_FAILED_ATTEMPTS",
                    "applicationId": "bank",
                ])
            #expect(bodies[0]["blockedReason"] == JSONValue.null)
            let request = try #require(receiver.requests.withLock { $0 }.first)
            #expect((request.method, request.path) == (.post, "/told"))
            #expect(request.headers["Content-Type"] == "application/json")
            #expect(request.headers["Authorization"] == nil)
            #expect(Set(receiver.keys).count == 6)
            #expect(try bench.events().map(\.state) == Array(repeating: .completed, count: 6))
        }
    }

    @Test func `a wrong activation OTP is told, and a refusal that changes nothing is not`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(fixtures(url))
            let (_, id) = try bench.exchanged(#""otp": "1""#)
            bench.cloud(.post, "/v2/registrations/\(id)/commit", #"{"otp": "2"}"#)
            bench.cloud(.post, "/v2/registrations/\(id)/commit", "{}")
            bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK"}"#)
            try bench.awaitCallbacks(3)

            #expect(
                try receiver.bodies()
                    == Array(
                        repeating: ["type": "ACTIVATION", "activationId": .string(id)], count: 3))
        }
    }

    @Test func `expiry is told once`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(fixtures(url, #""attributes": ["activationStatus"]"#))
            let (id, _) = try bench.register()
            try bench.bench.clock.advance(seconds: 300)
            _ = try bench.show(id)
            _ = try bench.show(id)
            try bench.awaitCallbacks(2)

            #expect(try receiver.bodies().map { $0["activationStatus"] } == ["CREATED", "REMOVED"])
        }
    }

    @Test func `HTTP Basic proves where it comes from`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(
                fixtures(
                    url,
                    #""authentication": {"httpBasic": {"enabled": true, "username": "u", "password": "p:q"}}"#
                ))
            _ = try bench.register()
            try bench.awaitCallbacks(1)

            #expect(receiver.requests.withLock { $0 }.first?.headers["Authorization"] == "Basic dTpwOnE=")
        }
    }

    @Test func `an access token is asked for once and kept until it expires`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(
                fixtures(
                    url,
                    """
                    "authentication": {"oauth2": {"enabled": true, "clientId": "me", "clientSecret": "s/1",
                        "tokenUri": "\(url)/token", "scope": "told"}}
                    """))
            for _ in 1...2 { _ = try bench.register() }
            try bench.awaitCallbacks(2)
            try bench.bench.clock.advance(seconds: 100)
            _ = try bench.register()
            try bench.awaitCallbacks(3)

            let requests = receiver.requests.withLock { $0 }
            #expect(requests.map(\.path) == ["/token", "/told", "/told", "/token", "/told"])
            #expect(requests[0].headers["Authorization"] == "Basic bWU6cyUyRjE=")
            #expect(Form(bytes: requests[0].body) == Form("grant_type=client_credentials&scope=told"))
            #expect(requests[1].headers["Authorization"] == "Bearer token-1")
            #expect(requests[4].headers["Authorization"] == "Bearer token-2")
        }
    }

    @Test func `a refusal to give a token fails the attempt`() throws {
        try withReceiver(.badRequest) { receiver, url in
            let bench = try OfficeBench(
                fixtures(
                    url,
                    "\"authentication\": {\"oauth2\": {\"enabled\": true, \"tokenUri\": \"\(url)/none\"}}"))
            _ = try bench.register()
            try bench.awaitCallbacks(1)

            let event = try #require(try bench.events().first)
            #expect((event.state, event.attempts, event.status) == (.failed, 1, nil))
            #expect(event.failure == "\(url)/none gave no access token; it answered 400 Bad Request")
            #expect(receiver.requests.withLock { $0.map(\.path) } == ["/none"])
        }
    }

    @Test(arguments: [Status.found, .badRequest, .internalServerError])
    func `without retries a failure is final`(_ status: Status) throws {
        try withReceiver(status) { receiver, url in
            let bench = try OfficeBench(fixtures(url))
            _ = try bench.register()
            try bench.awaitCallbacks(1)

            let event = try #require(try bench.events().first)
            #expect((event.state, event.attempts, event.status) == (.failed, 1, status.code))
            #expect(receiver.keys.count == 1)
        }
    }

    @Test func `retries have one idempotency key and end in a success`() throws {
        try withReceiver(.serviceUnavailable, times: 2) { receiver, url in
            let bench = try OfficeBench(fixtures(url, #""max_attempts": 3, "initial_backoff": "PT0.01S""#))
            _ = try bench.register()
            try bench.awaitCallbacks(3)

            let event = try #require(try bench.events().first)
            #expect((event.state, event.attempts, event.status) == (.completed, 3, 200))
            #expect(receiver.keys == Array(repeating: event.id, count: 3))
            #expect(event.failure == nil)
        }
    }

    @Test func `each pause is half as long again, up to 32 s`() {
        let callback = RegisteredCallback(
            id: Self.id, application: "bank", name: "", kind: .operation, url: "", maxAttempts: 9)
        #expect(callback.pauses == [2, 3, 4.5, 6.75, 10.125, 15.1875, 22.78125, 32, 32])
    }

    @Test func `after 200 failures it rests for a minute`() throws {
        try withReceiver { receiver, url in
            let bench = try OfficeBench(fixtures(url))
            let now = bench.bench.clock.now
            try bench.bench.world.database.write { db in
                for _ in 1...200 { try CallbackHealth.note(success: false, of: Self.id, at: now, in: db) }
            }
            _ = try bench.register()
            let event = try #require(try bench.events().first)
            #expect((event.state, event.attempts) == (.failed, 0))
            #expect(event.failure == "the circuit breaker of the callback is open")
            #expect(bench.bench.misshapenExplanations == [])

            try bench.bench.clock.advance(seconds: 60)
            _ = try bench.register()
            try bench.awaitCallbacks(2)
            #expect(receiver.keys.count == 1)
            _ = try bench.register()
            try bench.awaitCallbacks(3)
            #expect(receiver.keys.count == 2)
        }
    }

    @Test func `what was delivered is forgotten after its time`() throws {
        try withReceiver { _, url in
            let bench = try OfficeBench(fixtures(url, #""retention_period": "PT1M""#))
            _ = try bench.register()
            try bench.awaitCallbacks(1)
            try bench.bench.clock.advance(seconds: 61)
            _ = try bench.register()
            try bench.awaitCallbacks(2)

            #expect(try bench.events().count == 1)
        }
    }

    @Test(arguments: ["P", "PT", "P1Y", "2S", "PT-2S", "PT2", ""])
    func `a duration that is none`(_ text: String) { #expect(ISODuration(text) == nil) }

    @Test func `durations have a length`() {
        #expect(ISODuration("P30D")?.seconds == 2_592_000)
        #expect(ISODuration("PT1H2M3.5S")?.seconds == 3723.5)
    }
}
