import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// What console and control API see and do. Source: Token Server documentation.
struct ActionTests {
    private func perform(_ action: String, on id: String, _ bench: MobileBench) throws {
        try bench.onegini.decide(action, on: id)
    }

    @Test func `transactions are listed newest first, with code, page, actions and steps`() throws {
        let bench = try MobileBench()
        let (first, otp) = try bench.startedOTP()
        let second = try bench.startedPush()
        _ = try bench.fetch(otp)

        let list = try bench.onegini.transactions()

        #expect(list.map(\.id) == [second, first])
        let (push, scanned) = (list[0], list[1])
        #expect((push.platform, push.kind, push.title, push.user) == ("onegini", "push", "Pay?", "ada"))
        #expect(push.code == nil && push.page == nil)
        #expect((scanned.kind, scanned.code, scanned.user) == ("otp", otp, "ada"))
        #expect(scanned.page?.hasPrefix("/sdk/v1/qr/\(first)?key=") == true)
        #expect(scanned.actions == ["confirm", "deny", "fail", "expire"])
        #expect(scanned.steps.map(\.state) == ["INITIALIZED", "FETCHED"])
        #expect(scanned.isOpen)
    }

    @Test(arguments: [("confirm:grace", "grace"), ("confirm", "ada"), ("confirm:linus", "linus")])
    func `a transaction is confirmed without a device, by the user named or the first enrolled`(
        _ action: String, _ user: String
    ) throws {
        let bench = try MobileBench()
        let (id, _) = try bench.startedOTP()

        try perform(action, on: id, bench)

        let result = bench.result(of: id).fields
        #expect(result["is_authenticated"] == "true")
        #expect(result["user_id"] == user)
        #expect(try bench.transaction(id).steps.map(\.state) == ["INITIALIZED", "FETCHED", "AUTHENTICATED"])
    }

    @Test func `each reason of a failure can be brought about`() throws {
        let bench = try MobileBench()
        for reason in MobileTransactionReason.allCases {
            let (id, _) = try bench.startedOTP()
            try perform("fail:\(reason.rawValue)", on: id, bench)

            let told = try bench.result(of: id).json(JSONValue.self)["not_authenticated_reason"]
            #expect(told?["reason"] == .string(reason.rawValue))
        }
    }

    @Test func `a transaction expires now instead of later`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()

        try perform("expire", on: id, bench)

        #expect(try bench.transaction(id).state == "EXPIRED")
        #expect(try bench.fetch(otp).fields["sdk_code"] == "10013")
    }

    @Test func `what cannot be done is refused with a reason`() throws {
        let bench = try MobileBench()
        let id = try bench.finished("confirm")
        let (open, _) = try bench.startedOTP()
        let push = try bench.startedPush()

        #expect(throws: TransactionRefusal.unknown("gone")) { try perform("confirm", on: "gone", bench) }
        #expect(throws: TransactionRefusal.tooLate("deny", state: "AUTHENTICATED")) {
            try perform("deny", on: id, bench)
        }
        #expect(
            throws: TransactionRefusal.actionUnknown(
                "dance", known: ["confirm", "deny", "fail", "expire"])
        ) { try perform("dance", on: open, bench) }
        #expect(throws: TransactionRefusal.impossible("There is no user “nobody” in this world.")) {
            try perform("confirm:nobody", on: open, bench)
        }
        #expect(
            throws: TransactionRefusal.impossible(
                "The transaction belongs to “ada” already; no other user can answer it.")
        ) { try perform("confirm:grace", on: push, bench) }
    }

    @Test func `a callback is held until it is released`() throws {
        let bench = try MobileBench("\"hold_callbacks\": true, \"callback_retries\": 0")
        let id = try bench.finished("confirm")
        #expect(try bench.transaction(id).actions == ["release"])
        #expect(try bench.transaction(id).notices == [])

        try perform("release", on: id, bench)

        #expect(try bench.transaction(id).actions == [])
        _ = try CallbackWait(bench).events(2)
        #expect(try bench.transaction(id).notices.count == 1)
    }

    @Test func `an export loads again, transactions and all`() throws {
        let bench = try MobileBench()
        _ = try bench.finished("deny")
        _ = try bench.startedPush("push_with_pin")
        _ = bench.start(MobileBench.smsForm)
        _ = try CallbackWait(bench).events(1)

        let first = try bench.bench.worlds.export(bench.bench.world)
        try bench.bench.worlds.load(FixtureSet(text: first, file: "export"), into: bench.bench.world)

        #expect(try bench.bench.worlds.export(bench.bench.world) == first)
        #expect(try bench.onegini.transactions().count == 3)
    }

    @Test(arguments: [
        (#""types": [{"name": "a", "method": "OTP"}, {"name": "a", "method": "SMS"}]"#, "appears twice"),
        (#""types": [{"name": "a", "method": "PUSH", "fallback": "b"}]"#, "expected the name of a type"),
        (#""types": [{"name": "a", "method": "OTP", "signing": true}]"#, "only a push"),
        (#""types": [{"name": "a", "method": "OTP", "expires_in": 0}]"#, "from 1 to 86400"),
        (#""callbacks": [{"url": "/here"}]"#, "absolute http or https URL"),
        (#""callbacks": [{"url": "http://a/", "username": "a:b"}]"#, "no colon"),
        (#""callbacks": [{"url": "http://a/", "password": "b"}]"#, "without a user name"),
        (#""callback_retries": 11"#, "from 0 to 10"),
        (#""deep_link": "myapp""#, "expected a URL"),
        (#""error_shape": "xml""#, "numbered, oauth, union"),
    ])
    func `settings that make no sense are refused where they stand`(_ settings: String, _ reason: String)
        throws
    {
        let error = #expect(throws: (any Error).self) { try MobileBench(settings) }

        #expect(error.map { "\($0)" }?.contains(reason) == true)
    }
}
