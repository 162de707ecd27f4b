import Essentials
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// A transaction of the fixtures can do no more than one that was started.
@Suite struct TransactionFixtureTests {
    private static func fixtures(_ changes: [String: JSONValue] = [:]) -> String {
        let sound: [String: JSONValue] = [
            "id": "5e5f6bd0-8f3b-4b4c-9d0e-0d6f1f7a9a01", "type": "qr-code", "method": "OTP", "portal": "p",
            "callback_uri": "http://localhost:1/cb", "message": "m", "otp": "ABCDEF", "challenge": "00",
            "page_key": "00", "attempts": 0, "resends": 0, "state": "INITIALIZED",
            "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-01T00:05:00Z",
        ]
        let transaction = JSONValue.object(sound.merging(changes) { _, new in new })
        return JSONValue.object(["onegini": ["transactions": [transaction]]]).text
    }

    @Test func `a sound one is taken`() throws {
        #expect(throws: Never.self) { try TestBench(Onegini.self, fixtures: Self.fixtures()) }
    }

    @Test(arguments: [
        ("attempts", JSONValue.integer(.max)), ("attempts", -1), ("resends", .integer(.min)),
        // More than a QR code holds.
        ("otp", .string(String(repeating: "A", count: 3000))), ("otp", "\"}"), ("otp", ""),
        ("id", "a/b?c"), ("page_key", "a&b"), ("callback_uri", "file:///etc/passwd"),
        ("callback_uri", "http://x/\r\nA: b"), ("state", "EXPIRED"),
    ])
    func `one that no start makes is refused`(member: String, value: JSONValue) throws {
        let error = #expect(throws: (any Error).self) {
            try TestBench(Onegini.self, fixtures: Self.fixtures([member: value]))
        }
        #expect(
            error.map { "\($0)" }?.contains("onegini.transactions[0].\(member)") == true,
            "\(String(describing: error))"
        )
    }
}
