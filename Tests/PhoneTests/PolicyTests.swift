import Dispatch
import Essentials
import HTTP
import PlatformKit
import Synchronization
import Testing

@testable import Phone

/// What phones do by themselves.
@Suite struct PolicyTests {
    private func bench(_ policy: String) throws -> PhoneBench {
        let bench = try PhoneBench(
            phones: "{\"name\": \"ada\", \"owner\": \"ada\", \"policy\": \"\(policy)\"}")
        try bench.enrol()
        return bench
    }

    @Test(arguments: [
        ("approve", "APPROVED"), ("decline", "REJECTED"), ("wrong PIN twice, then right", "APPROVED"),
    ])
    func `a push is answered as the policy says`(_ policy: String, _ state: String) throws {
        let bench = try bench(policy)
        let operation = try bench.operation()

        try bench.until("the answer") { try bench.state(of: operation) == state }
        let wrong = bench.world.journal.entries().filter { $0.event == "phone refused" }
        #expect(wrong.count == (policy.hasPrefix("wrong") ? 2 : 0))
    }

    @Test func `a phone in somebody's hand fetches what a push announces, and answers nothing`() throws {
        let bench = try bench("manual")
        let operation = try bench.operation()

        try bench.until("the request on the screen") {
            try bench.center.look(at: "ada", in: bench.world).requests.map(\.id) == [operation]
        }
        #expect(try bench.state(of: operation) == "PENDING")
    }

    @Test func `a phone that ignores pushes does not even ask`() throws {
        let bench = try bench("ignore")
        let requests = {
            bench.world.journal.entries().filter { $0.correlation?.hasPrefix("phone.") ?? false }.count
        }
        let before = requests()
        _ = try bench.operation()

        // Errands of a phone follow each other: when this one is done, so is the push's.
        _ = try bench.have { _ in true }
        #expect(requests() == before)
    }

    @Test func `a new policy holds for what waits already`() throws {
        let bench = try bench("manual")
        let operation = try bench.operation()
        _ = try Phones(bench.world).change("ada") { $0.policy = .approve }
        bench.center.wake("ada", in: bench.world, at: bench.url)

        try bench.until("the answer") { try bench.state(of: operation) == "APPROVED" }
    }

    @Test func `the most specific policy holds`() throws {
        var phone = Phone("ada", policy: .decline)
        try phone.set(.ignore, for: "powerauth")
        try phone.set(.approve, for: "powerauth/offline")

        #expect(phone.policy(for: "powerauth", "offline") == .approve)
        #expect(phone.policy(for: "powerauth", "operation") == .ignore)
        #expect(phone.policy(for: "miracl", "login") == .decline)
        // Something in the app is not ignored, so the phone looks.
        #expect(!phone.ignores("powerauth"))
        try phone.set(nil, for: "powerauth/offline")
        #expect(phone.ignores("powerauth") && !phone.ignores("miracl"))
        for scope in [
            "", "nokia", "powerauth/", "powerauth/login", "powerauth/offline/x", "onegini/operation",
            "nextauth/operation", "miracl/operation",
        ] {
            #expect(throws: PhoneRefusal.self) { try phone.set(.approve, for: scope) }
        }
    }

    @Test func `an app answers as its own policy says, whatever the phone does else`() throws {
        let bench = try bench("manual")
        _ = try Phones(bench.world).change("ada") { try $0.set(.approve, for: "powerauth/operation") }
        let operation = try bench.operation()

        try bench.until("the answer") { try bench.state(of: operation) == "APPROVED" }
    }

    @Test(arguments: [("approve after 60 s", "APPROVED"), ("decline after 60 s", "REJECTED")])
    func `a delay of a policy is by the clock of the world, and another policy takes it back`(
        _ policy: String, _ state: String
    ) throws {
        let bench = try bench(policy)
        try bench.world.clock.set(now: nil, frozen: true)
        let (first, plans) = (try bench.operation(), Phones(bench.world).plans)
        try bench.until("the plan") { try plans().map(\.request) == [first] }
        try bench.world.clock.advance(seconds: 59)
        bench.world.clockMoved()
        _ = try bench.have { _ in true }
        #expect(try bench.state(of: first) == "PENDING")
        try bench.world.clock.advance(seconds: 1)
        bench.world.clockMoved()
        try bench.until("the answer") { try bench.state(of: first) == state }

        let second = try bench.operation()
        try bench.until("the plan") { try plans().map(\.request) == [second] }
        _ = try Phones(bench.world).change("ada") { $0.policy = .manual }
        #expect(try plans().isEmpty)
    }

    /// The phone may be at work while somebody changes its policy.
    @Test func `a policy that was changed meanwhile plans nothing`() throws {
        let bench = try bench("decline after 60 s")
        let phones = Phones(bench.world)
        let before = try phones.change("ada") { _ in }
        _ = try phones.change("ada") { $0.policy = .manual }
        func plan(isByPolicy: Bool) -> PhonePlan {
            PhonePlan(
                phone: "ada", account: "", request: "7", dueAt: bench.world.clock.now,
                answer: PhoneAnswer(.decline),
                isByPolicy: isByPolicy)
        }

        try phones.plan(plan(isByPolicy: true), of: before)
        #expect(try phones.plans().isEmpty)
        try phones.plan(plan(isByPolicy: false), of: before)
        #expect(try phones.plans().map(\.request) == ["7"])
    }

    @Test func `a delay begins when the push comes, however long the phone is busy`() throws {
        let bench = try bench("decline after 60 s")
        try bench.world.clock.set(now: nil, frozen: true)
        let gate = DispatchSemaphore(value: 0)
        bench.center.start("ada", in: bench.world, at: bench.url) { _ in
            gate.wait()
        } done: { _ in
        }
        let operation = try bench.operation()
        try bench.world.clock.advance(seconds: 60)
        bench.world.clockMoved()
        gate.signal()

        try bench.until("the answer") { try bench.state(of: operation) == "REJECTED" }
    }

    @Test func `who waits for a request is told when a push brings one`() throws {
        let bench = try bench("manual")
        let isStarted = Mutex(false)
        // Somebody who starts an operation as soon as the phone has asked once and found nothing.
        let stop = bench.world.journal.listen { entry in
            guard entry.exchange?.target.hasSuffix("/operation/list") == true else { return }
            let isFirst = isStarted.withLock { started in
                defer { started = true }
                return !started
            }
            guard isFirst else { return }
            DispatchQueue.global().async {
                #expect(throws: Never.self) { _ = try bench.operation() }
            }
        }
        defer { stop() }

        let requests = try bench.have(within: 20) { session in
            let requests = try session.pending()
            return requests.isEmpty ? nil : requests
        }
        #expect(requests?.count == 1)
    }

    @Test func `policies are read as they are written, and others are not`() {
        for text in [
            "manual", "approve", "decline", "ignore", "approve after 3 s", "decline after 600 s",
            "wrong PIN once, then right",
            "wrong PIN twice, then right", "wrong PIN 4 times, then right",
        ] {
            #expect(PhonePolicy(rawValue: text)?.rawValue == text)
        }
        for text in [
            "", "Approve", "approve after 0 s", "approve after 601 s", "decline after 601 s",
            "ignore after 3 s",
            "wrong PIN 99 times, then right",
        ] {
            #expect(PhonePolicy(rawValue: text) == nil)
        }
    }
}
