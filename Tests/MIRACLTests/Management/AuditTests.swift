import Crypto
import Essentials
import HTTP
import PlatformKit
import Testing
import TestKit

@testable import MIRACL

/// `GET /api/v1/projects/{project}/audit`.
@Suite struct AuditTests {
    private static let lines = """
        "audit": [
            {"at": "2026-01-01T10:00:00Z", "project_id": "shop", "type": "registration", "status": "registration_success",
                "user_id": "ada", "hash_mpin_id": "\(hash)", "device_name": "phone", "ip_address": "192.0.2.1"},
            {"at": "2026-01-01T11:00:00Z", "project_id": "shop", "type": "authentication", "status": "authenticate_success",
                "user_id": "ada", "hash_mpin_id": "\(hash)", "device_name": "phone", "client_id": "shop-app",
                "ip_address": "192.0.2.1"},
            {"at": "2026-01-01T11:30:00Z", "project_id": "bank", "type": "authentication", "status": "authenticate_success",
                "user_id": "eve", "ip_address": "192.0.2.9"},
            {"at": "2026-01-01T12:00:00Z", "project_id": "shop", "type": "authentication", "status": "authenticate_failure",
                "user_id": "grace", "device_name": "tablet", "ip_address": "192.0.2.2"}
        ]
        """
    private static let hash = Hex.encode(Digest.sha256(Array("{}".utf8)))

    private let bench: TestBench<MIRACL>

    init() throws { bench = try .shop(section: Self.lines) }

    private func list(_ query: String = "", _ authorization: String = Shop.bearer) -> Response {
        bench.call(
            .get, "/api/v1/projects/shop/audit" + (query.isEmpty ? "" : "?" + query), nil,
            ["Authorization": authorization])
    }

    /// Total, and the statuses in their order.
    private func found(_ query: String) throws -> (Int?, [String]) {
        let answer = try list(query).object()
        return (
            answer["total"]?.integer,
            (answer["list"]?.array ?? []).compactMap { $0["eventStatus"]?.string }
        )
    }

    @Test func `a line says who did what where, the newest first`() throws {
        let answer = try list().object()
        #expect(answer["total"] == 3)
        let lines = try #require(answer["list"]?.array)
        #expect(lines.map { $0["userID"] } == ["grace", "ada", "ada"])
        #expect(
            lines[1] == [
                "IPAddress": "192.0.2.1", "appID": "shop-app", "appName": "Shop app", "country": "",
                "createdAt": "2026-01-01T11:00:00.000Z", "deviceName": "phone",
                "eventStatus": "authenticate_success", "eventType": "authentication",
                "mpinID": .string(Self.hash), "userID": "ada",
            ])
        #expect(lines[0]["appID"] == "")
        #expect(lines[0]["mpinID"] == "")
    }

    @Test(arguments: [
        ("applicationId=shop-app", 1), ("applicationId=bank-app", 0), ("userId=ada", 2),
        ("deviceName=tablet", 1),
        ("mpinId=\(hash)", 2), ("mpinId=7b7d", 2), ("mpinId=7b7e", 0), ("fromDate=2026-01-01T11:00:00Z", 2),
        ("toDate=2026-01-01T11:00:00Z", 2), ("fromDate=2026-01-02", 0), ("toDate=1767268800", 3),
        ("toDate=1767268799", 2), ("userId=ada&fromDate=2026-01-01T10:30:00Z&toDate=", 1),
    ])
    func `a query chooses`(_ query: String, _ count: Int) throws {
        #expect(try found(query).0 == count)
    }

    @Test func `pages of it count them all`() throws {
        let (total, first) = try found("limit=2")
        #expect(total == 3)
        #expect(first == ["authenticate_failure", "authenticate_success"])
        let (again, second) = try found("limit=2&offset=2")
        #expect(again == 3)
        #expect(second == ["registration_success"])
        #expect(try found("offset=9").1.isEmpty)
    }

    @Test func `what happens is written down`() throws {
        let phone = try Phone(bench)
        #expect(try phone.authenticate(pin: 1).status == .unauthorized)
        let (_, statuses) = try found("userId=ada@example.com&limit=2")
        #expect(statuses == ["authenticate_failure", "authenticate_success"])
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=1001", "limit"), ("offset=-1", "offset"), ("offset=x", "offset"),
        ("fromDate=soon", "fromDate"), ("toDate=-5", "toDate"), ("toDate=2026-13-01", "toDate"),
    ])
    func `what makes no sense is named`(_ query: String, _ name: String) throws {
        #expect(list(query).isRefusal(of: name))
        #expect(bench.explanation?.hasPrefix("The parameter “\(name)”: expected ") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `who has no business there is refused`() throws {
        #expect(list("", "Bearer x").isRefusal(.unauthorized, "UNAUTHORIZED", "Unauthorized"))
        #expect(
            list("", Shop.strangerBasic).isRefusal(.forbidden, "FORBIDDEN", "The project is another one"))
    }
}
