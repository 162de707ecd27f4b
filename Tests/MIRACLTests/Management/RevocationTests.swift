import Crypto
import Essentials
import HTTP
import PlatformKit
import Testing
import TestKit

@testable import MIRACL

/// `POST /api/v1/projects/{project}/mpinids/{hashMpinId}/revocation`.
@Suite struct RevocationTests {
    private let bench: TestBench<MIRACL>
    private let phone: Phone
    private let hash: String

    init() throws {
        bench = try .shop()
        phone = try Phone(bench)
        hash = Hex.encode(Digest.sha256(try #require(Hex.decode(phone.mpinID))))
    }

    private func revoke(
        _ id: String, project: String = "shop", _ body: JSONValue? = nil, _ authorization: String = Shop.basic
    ) -> Response {
        bench.call(
            .post, "/api/v1/projects/\(project)/mpinids/\(id)/revocation", body,
            ["Authorization": authorization])
    }

    @Test(arguments: [Shop.basic, Shop.bearer])
    func `the next proof of the device ends in 410`(_ authorization: String) throws {
        let answer = revoke(hash, ["reason": "lost"], authorization)
        #expect(answer.status == .ok)
        #expect(try answer.object() == ["hashMPinID": .string(hash), "reason": "lost"])
        #expect(
            try phone.authenticate().isRefusal(.gone, "REVOKED_MPINID", "The identity is revoked"))
        #expect(bench.journal.contains { $0.explanation?.contains("was revoked: lost.") == true })
    }

    @Test func `the id itself will do, and no reason, and twice`() throws {
        for _ in 1...2 {
            let answer = revoke(phone.mpinID.uppercased())
            #expect(try answer.object() == ["hashMPinID": .string(hash), "reason": ""])
        }
        let audit =
            try bench.call(
                .get, "/api/v1/projects/shop/audit", nil, ["Authorization": Shop.basic]
            ).object()["list"]?.array ?? []
        #expect(audit.filter { $0["eventType"] == "revocation" }.count == 1)
    }

    @Test func `other devices of the user go on`() throws {
        let other = try Phone(bench)
        #expect(revoke(hash).status == .ok)
        #expect(try other.authenticate().status == .ok)
    }

    @Test func `who has no business there is refused`() throws {
        #expect(
            revoke(hash, nil, "Bearer nonsense").isRefusal(.unauthorized, "UNAUTHORIZED", "Unauthorized"))
        #expect(
            revoke(hash, nil, Shop.strangerBasic).isRefusal(
                .forbidden, "FORBIDDEN", "The project is another one"))
        #expect(revoke(hash, project: "bank", nil, Shop.strangerBasic).isRefusal(of: "mpinId"))
        #expect(revoke("00").isRefusal(of: "mpinId"))
        #expect(bench.explanation == "No identity of the project has the M-Pin id or hash “00”.")
        #expect(revoke(hash, ["reason": 5]).isRefusal(of: "reason"))
        #expect(
            revoke(hash, "text").isRefusal(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "The request is malformed"))
        #expect(try phone.authenticate().status == .ok, "nothing happened")
    }
}
