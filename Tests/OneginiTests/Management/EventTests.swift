import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct EventTests {
    typealias Bench = ManagementBench

    /// Three events, a second apart, the first at 2026-01-02T03:04:05Z.
    private func bench() throws -> Bench {
        let bench = try Bench()
        let onegini = bench.onegini
        for (type, client, user) in [
            (EventType.otpAuthInitialized, "shop", nil), (.mobileAuthAuthenticated, Bench.device, "Ada"),
            (.tokenRevokeAccessTokenSuccess, "shop", "grace"),
        ] {
            try onegini.database.write { db in
                var event = Event(
                    type, clientID: client, subject: user, transactionID: user.map { "transaction of " + $0 },
                    nil,
                    onegini.services)
                (event.address, event.userAgent) = ("10.0.0.7", "agent/1")
                try db.insert(event)
            }
            try bench.bench.clock.advance(seconds: 1)
        }
        return bench
    }

    private func types(_ query: String, _ bench: Bench) throws -> [String] {
        let response = bench.get("/oauth/api/v1/events?" + query)
        #expect(response.status == .ok)
        return try response.json(JSONValue.self)["result_set"]?.array?.compactMap { $0["event_type"]?.string }
            ?? []
    }

    @Test func `an event is told with every member, and the newest comes first`() throws {
        let response = try bench().get("/oauth/api/v1/events?size=1")

        let body = try response.json(JSONValue.self)
        var event = try #require(body["result_set"]?.array?.first?.object)
        #expect(event.removeValue(forKey: "event_identifier")?.string?.utf8.count == 36)
        #expect(
            event == [
                "event_name": "Token revoke access token success",
                "event_type": "TOKEN_REVOKE_ACCESS_TOKEN_SUCCESS", "client_id": "shop", "app_name": "Shop",
                "transaction_id": "transaction of grace", "user_id": "grace", "client_ip": "10.0.0.7",
                "user_agent": "agent/1", "event_agent_user": .null, "occurred": 1_767_323_047_000,
            ])
        #expect(
            body["pagination"] == [
                "total_results": 3, "offset": 0, "page_size": 1, "max_visible": 5, "pages_before": 2,
                "range_start": 1, "range_end": 1, "first_page": true, "last_page": false,
                "number_of_pages": 3, "previous_page": .null, "next_page": 1, "visible_pages": [0, 1, 2],
            ])
    }

    // Source: the example of the events API.
    @Test func `one page has no window of pages`() throws {
        let body = try bench().get("/oauth/api/v1/events?size=10").json(JSONValue.self)

        #expect(
            body["pagination"] == [
                "total_results": 3, "offset": 0, "page_size": 10, "max_visible": 5, "pages_before": 2,
                "range_start": 1, "range_end": 3, "first_page": true, "last_page": true, "number_of_pages": 1,
                "previous_page": .null, "next_page": .null, "visible_pages": [],
            ])
    }

    @Test func `a page behind the last is empty`() throws {
        let body = try bench().get("/oauth/api/v1/events?page=7").json(JSONValue.self)

        #expect(body["result_set"] == [])
        #expect(body["pagination"]?["offset"] == 140)
        #expect(body["pagination"]?["range_start"] == 0)
        #expect(body["pagination"]?["last_page"] == true)
    }

    @Test(arguments: [
        ("user_id=aDA", ["MOBILE_AUTH_AUTHENTICATED"]),
        ("client_id=shop", ["TOKEN_REVOKE_ACCESS_TOKEN_SUCCESS", "OTP_AUTH_INITIALIZED"]),
        ("client_id=shop&user_id=grace", ["TOKEN_REVOKE_ACCESS_TOKEN_SUCCESS"]),
        ("client_id=shop&user_id=ada", []),
        (
            "event_type=OTP_AUTH_INITIALIZED&event_type=MOBILE_AUTH_AUTHENTICATED",
            ["MOBILE_AUTH_AUTHENTICATED", "OTP_AUTH_INITIALIZED"]
        ),
        (
            "exclude_event_type=OTP_AUTH_INITIALIZED&exclude_event_type=MOBILE_AUTH_AUTHENTICATED",
            ["TOKEN_REVOKE_ACCESS_TOKEN_SUCCESS"]
        ),
        ("transaction_id=transaction+of+Ada", ["MOBILE_AUTH_AUTHENTICATED"]),
        ("start_date=1767323046000", ["TOKEN_REVOKE_ACCESS_TOKEN_SUCCESS", "MOBILE_AUTH_AUTHENTICATED"]),
        ("end_date=1767323046000", ["MOBILE_AUTH_AUTHENTICATED", "OTP_AUTH_INITIALIZED"]),
        ("end_date=1767323046000&end_date_exclusive=true", ["OTP_AUTH_INITIALIZED"]),
        ("size=1&page=1", ["MOBILE_AUTH_AUTHENTICATED"]),
    ])
    func `filters are combined`(query: String, expected: [String]) throws {
        #expect(try types(query, bench()) == expected)
    }

    @Test(arguments: [
        "page=-1", "page=x", "size=0", "size=1001", "start_date=yesterday", "end_date=1e3",
        "end_date_exclusive=perhaps", "page=99999999999999999999",
    ])
    func `a filter that cannot be read is 400`(query: String) throws {
        let bench = try bench()
        let response = bench.get("/oauth/api/v1/events?" + query)

        #expect(response.status == .badRequest)
        let name = query.prefix { $0 != "=" }
        #expect(
            response.text == """
                {"code":"invalid_request","details":["\(name)"],"message":"One or more parameters is missing or incorrect."}
                """)
    }

    @Test func `a filter that comes without end is refused`() throws {
        let query = Array(repeating: "event_type=X", count: 101).joined(separator: "&")
        #expect(try bench().get("/oauth/api/v1/events?" + query).status == .badRequest)
    }
}
