import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

/// Time permits of the first generation.
@Suite struct TimePermitTests {
    private static func bench(_ row: Row, state: String = "active", more: String = "") throws -> TestBench<
        MIRACL
    > {
        let bench = try TestBench<MIRACL>(
            MIRACL.self,
            fixtures: """
                {"miracl": {
                    "projects": [{
                        "id": "shop", "name": "Shop", "first_share": "\(row.text("MS1"))",
                        "second_share": "\(row.text("MS2"))", "time_permits": true,
                        "applications": [{"client_id": "shop-app", "client_secret": "s", "redirect_uris": ["/"]}]
                    }],
                    "identities": [{
                        "mpin_id": "\(row.text("MPIN_ID_HEX"))", "project_id": "shop", "user_id": "u",
                        "device_name": "d", "purpose": "auth", "state": "\(state)", "reg_ott": "0", \(more)
                        "registration_expires_at": "2026-01-01T00:00:00Z", "wrong_count": 0,
                        "needs_renewal": false, "dtas": "", "created_at": "2010-01-01T00:00:00Z"
                    }]
                }}
                """)
        let day = Double(try row.number("DATE"))
        try bench.clock.set(now: Date(timeIntervalSince1970: day * 86_400 + 86_399), frozen: true)
        return bench
    }

    private static let rows = Array(Row.all("bn254cx-two-pass-permits.json").prefix(10))

    @Test(arguments: rows)
    func `both shares of a day's permit are the published ones`(_ row: Row) throws {
        let (bench, id) = (try Self.bench(row), try row.text("MPIN_ID_HEX"))
        let answer = bench.call(.get, "/rps/v2/timePermit/\(id.uppercased())")
        #expect(answer.status == .ok)
        let first = try answer.object()
        let hash = Hex.encode(Digest.sha256(try row.bytes("MPIN_ID_HEX")))
        let signature = try text(first, "signature")
        #expect(
            try first == [
                "timePermit": .string(row.text("TP1")), "date": .integer(row.number("DATE")),
                "storageId": .string(hash), "signature": .string(signature), "message": "OK",
                "version": "0.4",
            ])
        #expect(Hex.decode(signature)?.count == 32)

        let query = "hash_mpin_id=\(hash)&app_id=shop&mobile=1&signature=\(signature)"
        let second = bench.call(.get, "/rps/v2/dta/timePermit?\(query)")
        #expect(
            try second.object() == [
                "timePermit": .string(row.text("TP2")), "message": "OK", "version": "0.4",
            ])
        for application in ["shop", "shop-app"] {
            let stored = bench.call(.get, "/rps/v2/permits/\(application)/\(try row.number("DATE"))/\(hash)")
            #expect(stored.status == .ok)
            #expect(try stored.text == row.text("TP2"))
        }
    }

    @Test func `tomorrow the signature and the stored permit are others`() throws {
        let row = try #require(Self.rows.first)
        let (bench, id) = (try Self.bench(row), try row.text("MPIN_ID_HEX"))
        let first = try bench.call(.get, "/rps/v2/timePermit/\(id)").object()
        try bench.clock.advance(seconds: 1)

        let query = "hash_mpin_id=\(try text(first, "storageId"))&signature=\(try text(first, "signature"))"
        let late = bench.call(.get, "/rps/v2/dta/timePermit?\(query)")
        #expect(late.isRefusal(.forbidden, "FORBIDDEN", "Invalid signature"))
        let stored = bench.call(
            .get, "/rps/v2/permits/shop/\(try row.number("DATE"))/\(try text(first, "storageId"))")
        #expect(stored.isRefusal(.notFound, "NOT_FOUND", "Not found"))
        #expect(
            bench.explanation
                == "The storage has no such time permit: today is \(try row.number("DATE") + 1), in days since 1970 and UTC."
        )
    }

    @Test(arguments: ["blocked", "revoked"])
    func `who is blocked or revoked gets no permit any more`(_ state: String) throws {
        let row = try #require(Self.rows.first)
        let (bench, id) = (try Self.bench(row, state: state), try row.text("MPIN_ID_HEX"))
        try expectGone(bench, id, "The identity is \(state), and gets no time permit any more")
    }

    @Test func `who expired gets no permit any more`() throws {
        let row = try #require(Self.rows.first)
        let bench = try Self.bench(row, more: #""expires_at": "2012-01-01T00:00:00Z","#)
        try expectGone(bench, row.text("MPIN_ID_HEX"), "The identity expired at 2012-01-01T00:00:00.000Z.")
    }

    private func expectGone(_ bench: TestBench<MIRACL>, _ id: String, _ reason: String) throws {
        let hash = Hex.encode(Digest.sha256(try #require(Hex.decode(id))))
        for path in ["/rps/v2/timePermit/\(id)", "/rps/v2/dta/timePermit?hash_mpin_id=\(hash)&signature=00"] {
            #expect(bench.call(.get, path).isRefusal(.gone, "REVOKED_MPINID", "The identity is revoked"))
            #expect(bench.explanation?.hasPrefix(reason) == true)
        }
        let today = Int(bench.clock.now.timeIntervalSince1970) / 86_400
        let stored = bench.call(.get, "/rps/v2/permits/shop/\(today)/\(hash)")
        #expect(stored.isRefusal(.notFound, "NOT_FOUND", "Not found"))
        #expect(bench.explanation?.contains(reason) == true)
    }

    @Test func `an identity that nobody has gets none`() throws {
        let bench = try TestBench<MIRACL>.shop()
        let unknown = bench.call(.get, "/rps/v2/timePermit/7b7d")
        #expect(unknown.isRefusal(.notFound, "EXPIRED_MPINID", "The identity has expired"))
        let hash = String(repeating: "0", count: 64)
        let second = bench.call(.get, "/rps/v2/dta/timePermit?hash_mpin_id=\(hash)")
        #expect(second.isRefusal(.notFound, "EXPIRED_MPINID", "The identity has expired"))
        for path in ["shop/1/\(hash)", "bank/1/\(hash)"] {
            let stored = bench.call(.get, "/rps/v2/permits/\(path)")
            #expect(stored.isRefusal(.notFound, "NOT_FOUND", "Not found"))
        }
        let phone = try Phone(bench)
        let ownHash = Hex.encode(Digest.sha256(try #require(Hex.decode(phone.mpinID))))
        let foreign = bench.call(.get, "/rps/v2/permits/bank/20455/\(ownHash)")
        #expect(foreign.isRefusal(.notFound, "NOT_FOUND", "Not found"))
        #expect(bench.explanation?.contains("belongs to the project “shop”") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a project may treat an unknown identity like a blocked one`() throws {
        let bench = try TestBench<MIRACL>.shop(project: #""block_unknown_identities": true,"#)
        let unknown = bench.call(.get, "/rps/v2/timePermit/7b7d")
        #expect(unknown.isRefusal(.gone, "REVOKED_MPINID", "The identity is revoked"))
    }

    @Test func `the end of the setup is noted`() throws {
        let bench = try TestBench<MIRACL>.shop()
        let phone = try Phone(bench)
        let done = bench.call(.post, "/rps/v2/setupDone/\(phone.mpinID)", [:])
        #expect(done.status == .ok)
        #expect(try done.object() == ["message": "OK", "version": "0.4"])
        #expect(bench.journal.contains { $0.event == "setup done" && $0.subject == phone.userID })
        #expect(
            bench.call(.post, "/rps/v2/setupDone/7b7d").isRefusal(
                .notFound, "EXPIRED_MPINID", "The identity has expired"))
    }
}
