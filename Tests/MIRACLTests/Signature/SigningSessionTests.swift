import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import Testing
import TestKit

@testable import MIRACL

/// `/dvs/session`: a back end asks, an app signs.
@Suite struct SigningSessionTests {
    private let bench: TestBench<MIRACL>
    private let phone: Phone
    private let now = VerifySignatureTests.now
    private let hash = VerifySignatureTests.hash

    init() throws {
        bench = try .shop()
        phone = try Phone(bench, key: number("z"))
    }

    private func start(user: String? = "ada@example.com") throws -> String {
        let answer = bench.call(
            .post, "/dvs/session",
            [
                "userID": user.map(JSONValue.string) ?? .null, "hash": .string(hash),
                "description": "Ten euros",
            ])
        #expect(answer.status == .ok)
        let id = try text(answer.object(), "id")
        #expect(try text(answer.object(), "qrURL") == "http://localhost:8420/miracl/mobile-login/#\(id)")
        return id
    }

    private func details(_ id: String) -> Response {
        bench.call(.post, "/dvs/session/details", ["id": .string(id)])
    }

    private func finish(_ id: String, _ signature: [String: JSONValue], at timestamp: Int? = nil) -> Response
    {
        bench.call(
            .put, "/dvs/session",
            [
                "id": .string(id), "signature": .object(signature), "timestamp": .integer(timestamp ?? now),
            ])
    }

    @Test func `the app hears what it signs, for whom`() throws {
        let answer = try details(start())
        #expect(answer.status == .ok)
        #expect(
            try answer.object() == [
                "userID": "ada@example.com", "hash": .string(hash), "description": "Ten euros",
                "status": "active", "expireTime": .integer(now + 300), "projectId": "shop",
                "projectName": "Shop", "projectLogoURL": "", "verificationMethod": "standardEmail",
                "verificationURL": "", "verificationCustomText": "", "identityType": "email",
                "identityTypeLabel": "", "pinLength": 4, "enableRegistrationCode": true,
                "limitRegCodeVerified": false,
            ])
    }

    @Test func `a signature ends the session, and who polls reads it`() throws {
        let id = try start()
        let signature = try phone.signature(of: hash, at: now)
        let answer = finish(id, signature)
        #expect(answer.status == .ok)
        #expect(try answer.object() == ["status": "signed"])
        #expect(try details(id).object()["status"] == "signed")

        let session = try #require(bench.world.database.read { db in try AccessSession.find(id, in: db) })
        #expect(session.state == .signed)
        #expect(session.userID == "ada@example.com")
        let kept = try JSONValue(parsing: #require(Base64.decode(session.signature ?? "")))
        #expect(kept == .object(signature.merging(["timestamp": .integer(now)]) { $1 }))
        let verified = bench.call(.post, "/dvs/verify", ["signature": kept], ["Authorization": Shop.basic])
        #expect(verified.status == .ok)
    }

    @Test func `a session is signed once`() throws {
        let id = try start()
        let signature = try phone.signature(of: hash, at: now)
        #expect(finish(id, signature).status == .ok)
        #expect(finish(id, signature).isRefusal(of: "id"))
        #expect(bench.explanation == "The signing session is over: its status is signed.")
        #expect(bench.call(.delete, "/dvs/session", ["id": .string(id)]).isRefusal(of: "id"))
    }

    @Test func `the user may say no`() throws {
        let id = try start()
        let answer = bench.call(.delete, "/dvs/session", ["id": .string(id)])
        #expect(answer.status == .ok)
        #expect(try answer.object() == ["status": "abort"])
        #expect(details(id).isRefusal(of: "id"))
        #expect(bench.explanation == "The signing session is over: its status is abort.")
        #expect(try finish(id, phone.signature(of: hash, at: now)).isRefusal(of: "id"))
        #expect(bench.call(.delete, "/dvs/session", ["id": .string(id)]).isRefusal(of: "id"))
    }

    @Test func `a session that nobody began, that is no signature's, or that expired is not there`() throws {
        for path in ["/dvs/session/details"] {
            #expect(bench.call(.post, path, ["id": "nonsense"]).isRefusal(of: "id"))
        }
        #expect(bench.explanation?.contains("No signing session has the id “nonsense”") == true)
        #expect(bench.call(.post, "/dvs/session/details", [:]).isRefusal(of: "id"))
        let id = try start()
        bench.time.advance(seconds: 300)
        #expect(details(id).isRefusal(of: "id"))
        #expect(
            bench.explanation?.hasPrefix("The signing session expired at 2026-01-02T03:09:05.000Z") == true)
        #expect(try finish(id, phone.signature(of: hash, at: now)).isRefusal(of: "id"))
        #expect(bench.call(.delete, "/dvs/session", ["id": .string(id)]).isRefusal(of: "id"))
    }

    @Test
    func `a signature of another document, of another user or with a wrong PIN leaves the session open`()
        throws
    {
        let id = try start()
        let other = VerifySignatureTests.otherHash
        let stranger = try Phone(bench, "grace@example.com", key: number("grace's z"))
        for (signature, reason) in [
            (try phone.signature(of: other, at: now), "The session expects a signature of \(hash)"),
            (try phone.signature(of: hash, at: now, pin: 1), "the PIN is wrong"),
            (try stranger.signature(of: hash, at: now), "The session is for ada@example.com"),
        ] {
            #expect(finish(id, signature).isRefusal(of: "signature"))
            #expect(bench.explanation?.contains(reason) == true, "\(bench.explanation ?? "")")
        }
        let right = try phone.signature(of: hash, at: now)
        #expect(finish(id, right, at: now + 1).isRefusal(of: "signature"))
        #expect(finish(id, right, at: now * 1000).isRefusal(of: "timestamp"))
        #expect(finish(id, right).status == .ok)
    }

    @Test func `a session for nobody in particular takes everybody's signature`() throws {
        let id = try start(user: nil)
        #expect(try details(id).object()["userID"] == "")
        #expect(try finish(id, phone.signature(of: hash, at: now)).status == .ok)
    }

    @Test func `a back end may name what is signed in its own way, and then any document will do`() throws {
        let name = "7D0A3F62-51C5-4E0E-9A7B-1E5B2F0C9D11"
        let begun = bench.call(
            .post, "/dvs/session",
            ["userID": "ada@example.com", "hash": .string(name), "description": "Ten euros"])
        #expect(begun.status == .ok, "\(begun.text)")
        let id = try text(begun.object(), "id")
        #expect(try details(id).object()["hash"] == .string(name))

        let stranger = try Phone(bench, "grace@example.com", key: number("grace's z"))
        #expect(try finish(id, stranger.signature(of: hash, at: now)).isRefusal(of: "signature"))
        #expect(try finish(id, phone.signature(of: hash, at: now)).status == .ok)
        let event = try #require(bench.journal.last { $0.event == "document not compared" })
        #expect(event.explanation?.contains("\(name)") == true)
    }

    @Test func `what is to be signed has to be told`() throws {
        for (body, name): (JSONValue, String) in [
            (["description": "d"], "hash"), (["hash": "00"], "description"),
        ] { #expect(bench.call(.post, "/dvs/session", body).isRefusal(of: name)) }
        let lost = bench.call(
            .post, "/dvs/session", ["hash": "00", "description": "d", "projectId": "nobody's"])
        #expect(lost.isRefusal(.forbidden, "FORBIDDEN", "Unknown project"))
        for body: JSONValue in [
            ["id": "x", "timestamp": 1], ["id": "x", "signature": [:], "timestamp": 1],
        ] { #expect(bench.call(.put, "/dvs/session", body).status == .badRequest) }
        #expect(bench.misshapenExplanations == [])
    }
}
