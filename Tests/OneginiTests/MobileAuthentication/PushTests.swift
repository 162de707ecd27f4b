import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// Pushes: pending list, fetch, answer with a PIN, signatures. Source: Token Server documentation.
struct PushTests {
    private static let signing =
        #""types": [{"name": "push", "method": "PUSH", "signing": true}], "callback_retries": 0"#

    private func opened(_ bench: MobileBench, _ id: String) throws -> JSONValue {
        try bench.read(bench.device("/push/\(id)/fetch", ["profile_id": "ADA001"]))
    }

    @Test func `a push waits in the list of its device until it is fetched`() throws {
        let bench = try MobileBench()
        let first = try bench.startedPush()
        try bench.bench.clock.advance(seconds: 10)
        let second = try bench.startedPush("push_with_pin")
        let path = "/oauth/sdk/v1/mobile-auth/pending"
        let device: Headers = [
            "Authorization": "Basic " + MobileBench.base64("\(MobileBench.adaDevice):secret")
        ]

        let list = bench.bench.get(path, headers: MobileBench.bearer(MobileBench.adaToken))

        let expected: JSONValue = [
            "pending": [
                [
                    "transaction_id": .string(first), "profile_id": "ADA001", "message": "Pay?",
                    "date": 1_767_323_045_000, "time_to_live": 290_000,
                ],
                [
                    "transaction_id": .string(second), "profile_id": "ADA001", "message": "Pay?",
                    "date": 1_767_323_055_000, "time_to_live": 300_000,
                ],
            ]
        ]
        #expect(try list.json(JSONValue.self) == expected)
        #expect(try bench.bench.get(path, headers: device).json(JSONValue.self) == expected)
        let grace = bench.bench.get(path, headers: MobileBench.bearer(MobileBench.graceToken))
        #expect(try grace.json(JSONValue.self) == ["pending": []])

        _ = try opened(bench, first)
        try bench.bench.clock.advance(seconds: 300)
        let later = bench.bench.get(path, headers: MobileBench.bearer(MobileBench.adaToken))
        #expect(try later.json(JSONValue.self) == ["pending": []])
    }

    @Test func `a push is fetched and confirmed by the device it was sent to, and no other`() throws {
        let bench = try MobileBench()
        let id = try bench.startedPush()
        let foreign = try bench.device(
            "/push/\(id)/fetch", ["profile_id": "GRACE1"], MobileBench.graceToken)
        #expect(foreign.status == .notFound)
        #expect(foreign.fields["sdk_code"] == "10013")

        let message = try opened(bench, id)
        let answer = try bench.answer(MobileBench.reply(message, "confirm"), to: id, way: "push")

        #expect(answer.fields == ["transaction_id": id, "result": "confirm", "state": "AUTHENTICATED"])
        #expect(bench.result(of: id).fields["user_id"] == "ada")
        #expect(bench.result(of: id).fields["authentication_method"] == "push")
    }

    @Test func `the user of a push is known from the start`() throws {
        let bench = try MobileBench()

        #expect(bench.result(of: try bench.startedPush()).fields["user_id"] == "ada")
    }

    @Test func `a wrong PIN is counted and leaves the transaction open`() throws {
        let bench = try MobileBench()
        let id = try bench.startedPush("push_with_pin")
        let message = try opened(bench, id)
        let wrong = MobileBench.reply(
            message, "confirm", ["refresh_token": .string(String(repeating: "00", count: 32))])

        let refused = try bench.answer(wrong, to: id, way: "push")

        #expect(refused.status == .unauthorized)
        #expect(
            refused.fields == [
                "error": "invalid_pin", "error_description": "The PIN is wrong", "sdk_code": "9009",
                "used_attempts": "1", "max_attempts": "3", "remaining_attempts": "2",
            ])
        #expect(try bench.transaction(id).state == "FETCHED")

        let right = MobileBench.reply(
            message, "confirm", ["refresh_token": .string(MobileBench.refreshToken)])
        #expect(try bench.answer(right, to: id, way: "push").status == .ok)
        let result = bench.result(of: id).fields
        #expect(result["authentication_method"] == "push_with_pin")
        #expect(result["used_authentication_attempts"] == "2")
    }

    @Test func `the last wrong PIN removes the user from the device and fails the transaction`() throws {
        let bench = try MobileBench(maxPINAttempts: 2)
        let id = try bench.startedPush("push_with_pin")
        let message = try opened(bench, id)
        let wrong = MobileBench.reply(message, "confirm", ["refresh_token": "wrong"])
        _ = try bench.answer(wrong, to: id, way: "push")

        let last = try bench.answer(wrong, to: id, way: "push")

        #expect(last.fields["sdk_code"] == "9003")
        #expect(try bench.transaction(id).state == "FAILED")
        let gone = try bench.bench.world.database.read { db in
            try db.profile("ADA001", on: MobileBench.adaDevice)
        }
        #expect(gone == nil)
    }

    @Test func `a confirmation with a PIN lacks the refresh token; a denial needs none`() throws {
        let bench = try MobileBench()
        let (one, two) = (try bench.startedPush("push_with_pin"), try bench.startedPush("push_with_pin"))

        let bare = try bench.answer(
            MobileBench.reply(try opened(bench, one), "confirm"), to: one, way: "push")
        #expect(bare.fields["error"] == "invalid_answer")
        let denied = try bench.answer(
            MobileBench.reply(try opened(bench, two), "deny"), to: two, way: "push")
        #expect(denied.fields["state"] == "DENIED")
    }

    @Test(arguments: [true, false])
    func `the portal gets the signature of its data, the key and the server's verdict`(_ isRight: Bool) throws
    {
        let bench = try MobileBench(Self.signing)
        let id = try bench.startedPush("push", [("signing_data", "100 EUR to Bob")])
        let message = try opened(bench, id)
        #expect(message["signing_data"] == "100 EUR to Bob")
        let key = try PrivateKey(pem: OpenPGPVectors.shared.deviceRSAPEM)
        let data = isRight ? "100 EUR to Bob" : "999 EUR to Eve"
        let signature = Data(try key.sign(Array(data.utf8), with: .rs256)).base64EncodedString()

        let answer = try bench.answer(
            MobileBench.reply(message, "confirm", ["signature": .string(signature)]), to: id, way: "push")

        #expect(answer.status == .ok)
        let result = bench.result(of: id).fields
        #expect(result["signature"] == signature)
        #expect(result["signature_verified"] == String(isRight))
        #expect(try PublicKey(pem: result["user_public_key"] ?? "") == key.publicKey)
    }

    @Test func `a confirmation without the signature that was asked for is no answer`() throws {
        let bench = try MobileBench(Self.signing)
        let id = try bench.startedPush("push", [("signing_data", "100 EUR to Bob")])

        let answer = try bench.answer(
            MobileBench.reply(try opened(bench, id), "confirm"), to: id, way: "push")

        #expect(answer.fields["error"] == "invalid_answer")
    }

    @Test func `data to sign are ignored where the type does not sign`() throws {
        let bench = try MobileBench()
        let id = try bench.startedPush("push", [("signing_data", "100 EUR to Bob")])

        #expect(try opened(bench, id)["signing_data"] == nil)
    }
}
