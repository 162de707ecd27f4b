import Essentials
import Testing

@testable import NextAuth

/// The table “when a second factor is asked” of the device protocol.
@Suite struct SecondFactorRuleTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func rule(
        _ type: FlowType, pinTimeout: Int = 0, verified: Double? = nil, enrolled: Double? = nil,
        isErased: Bool = false, hasPIN: Bool = true, isHeadless: Bool = false, transTimeout: Int = 0
    ) -> SecondFactorRule {
        var factor = SecondFactor()
        factor.pinKey = hasPIN ? "key" : nil
        factor.verifiedAt = verified.map { now - $0 }
        factor.enrolledAt = enrolled.map { now - $0 }
        factor.isErased = isErased
        return SecondFactorRule(
            type: type, isHeadless: isHeadless, factor: factor, pinTimeout: pinTimeout,
            pinTransTimeout: transTimeout)
    }

    @Test(arguments: FlowType.allCases)
    func `a headless account is never asked`(_ type: FlowType) {
        #expect(rule(type, isErased: true, isHeadless: true).answer(at: now) == .none)
    }

    @Test func `an enrolment sets a PIN where there is none, and asks for it where there is one`() {
        #expect(rule(.enrol, hasPIN: false).answer(at: now) == .set)
        #expect(rule(.enrol, pinTimeout: -1, verified: 1).answer(at: now) == .verify)
    }

    @Test func `a transaction always asks, unless its timeout is -1`() {
        #expect(rule(.transaction, pinTimeout: -1, verified: 1).answer(at: now) == .verify)
        #expect(rule(.transaction, verified: 1, transTimeout: 10).answer(at: now) == .verify)
        #expect(rule(.transaction, transTimeout: -1).answer(at: now) == .none)
    }

    @Test func `a login asks always with 0, never with -1, and with n after n minutes`() {
        #expect(rule(.login, pinTimeout: 0, verified: 1).answer(at: now) == .verify)
        #expect(rule(.login, pinTimeout: -1).answer(at: now) == .none)
        #expect(rule(.login, pinTimeout: 5, verified: 300).answer(at: now) == .none)
        #expect(rule(.login, pinTimeout: 5, verified: 301).answer(at: now) == .verify)
        #expect(rule(.login, pinTimeout: 5).answer(at: now) == .verify)
    }

    @Test func `a login without a running AppLogin asks where the app wants that`() {
        var rule = rule(.login, pinTimeout: -1)
        rule.asksIfInactive = true
        #expect(rule.answer(at: now) == .verify)
        rule.hasAppLogin = true
        #expect(rule.answer(at: now) == .none)
    }

    @Test func `an AppLogin is silent for 60 seconds after an enrolment`() {
        #expect(rule(.appLogin, enrolled: 60).answer(at: now) == .none)
        #expect(rule(.appLogin, enrolled: 61).answer(at: now) == .verify)
    }

    @Test(arguments: [-1, 0, 5])
    func `an AppLogin asks after every logout, whatever the timeout`(_ pinTimeout: Int) {
        #expect(rule(.appLogin, pinTimeout: pinTimeout, isErased: true).answer(at: now) == .verify)
    }

    @Test func `an AppLogin otherwise asks as a login does`() {
        #expect(rule(.appLogin, pinTimeout: -1).answer(at: now) == .none)
        #expect(rule(.appLogin, pinTimeout: 5, verified: 299).answer(at: now) == .none)
        #expect(rule(.appLogin, pinTimeout: 5, verified: 301).answer(at: now) == .verify)
    }
}
