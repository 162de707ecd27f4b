import Testing

@testable import PlatformKit

@Suite struct EntropyTests {
    @Test func `each purpose has its own stream`() {
        let alone = Entropy.seeded(1)
        let mixed = Entropy.seeded(1)
        _ = mixed.bytes(100, "other")
        #expect(alone.bytes(40, "code") == mixed.bytes(40, "code"))
        #expect(alone.bytes(40, "code") != mixed.bytes(40, "other"))
    }

    @Test func `a stream does not repeat itself`() {
        let entropy = Entropy.seeded(1)
        let drawn = (0..<1000).map { _ in entropy.identifier(for: "id") }
        #expect(Set(drawn).count == 1000)
    }

    @Test(arguments: [Entropy.system, .seeded(3)])
    func `each digit is as likely as another`(_ entropy: Entropy) {
        let digits = entropy.digits(20_000, for: "code")
        for digit in "0123456789" {
            let share = digits.count { $0 == digit }
            // 2,000 expected; the standard deviation is 42.
            #expect((1_750...2_250).contains(share), "\(digit)")
        }
        #expect(digits.utf8.count == 20_000)
    }

    @Test(arguments: [Entropy.system, .seeded(3)])
    func `a UUID is of version 4 and variant 1, in lower case`(_ entropy: Entropy) {
        let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<50 { #expect(entropy.uuid(for: "u").wholeMatch(of: pattern) != nil) }
    }
}
