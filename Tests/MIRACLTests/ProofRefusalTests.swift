import Crypto
import Testing

@testable import MIRACL

/// Each starts from a good proof and changes one thing.
struct ProofRefusalTests {
    let master: MasterSecret
    let client: Client
    let commitment: Commitment
    let good: MPinProof

    init() throws {
        master = try someMaster()
        client = Client(someIdentity, master: master, pin: 1234)
        commitment = client.commitment(number("x"))
        good = MPinProof(
            identity: someIdentity, commitment: commitment, challenge: number("y"),
            v: client.proof(number("x"), challenge: number("y"), pin: 1234))
    }

    @Test func `a proof is bound to all its parts`() throws {
        #expect(master.verifies(good))
        let other = MPinIdentity(Array("other".utf8))
        let changed = [
            proof(identity: other), proof(challenge: number("another y")),
            proof(commitment: client.commitment(number("another x"))), proof(v: -good.v),
            proof(v: good.v + good.v), proof(v: commitment.u),
        ]
        #expect(changed.map(master.verifies) == [Bool](repeating: false, count: changed.count))
        let stranger = try MasterSecret(first: number("a"), second: number("b"))
        #expect(!stranger.verifies(good))
    }

    @Test func `both shares are needed`() {
        let half = master.clientSecret(.first, for: someIdentity)
        #expect(!master.verifies(proof(v: -(number("x") + number("y")) * half)))
        #expect(master.clientSecret(.second, for: someIdentity) != half)
    }

    @Test func `a permit counts on its day alone, and a commitment to it needs it`() throws {
        let permit =
            master.timePermit(.first, for: someIdentity, day: 20_000)
            + master.timePermit(.second, for: someIdentity, day: 20_000)
        let permitted = client.commitment(number("x"), day: 20_000)
        let v = client.proof(number("x"), challenge: number("y"), pin: 1234, permit: permit)
        #expect(master.verifies(proof(commitment: permitted, v: v)))

        let ut = try #require(permitted.permitted).ut
        let tomorrow = Commitment(
            u: permitted.u, permitted: Commitment.Permitted(ut: ut, day: 20_001))
        #expect(!master.verifies(proof(commitment: tomorrow, v: v)))
        #expect(!master.verifies(proof(commitment: permitted)))
        #expect(!master.verifies(proof(v: v)))
    }

    @Test func `a proof without any secret does not hold`() {
        // Whoever knew the challenge before could make everything vanish.
        let vanishing = Commitment(u: -number("y") * someIdentity.point)
        let nothing = someIdentity.point - someIdentity.point
        #expect(!master.verifies(proof(commitment: vanishing, v: nothing)))
        #expect(master.pinDistance(of: proof(commitment: vanishing, v: nothing), limit: 10_000) == nil)
        let keyed = MPinIdentity(Array("id".utf8), publicKey: .generator)
        let keyedVanishing = Commitment(u: -number("y") * keyed.point)
        #expect(!master.verifies(proof(identity: keyed, commitment: keyedVanishing, v: nothing)))
        #expect(!master.verifies(proof(identity: keyed, v: nothing)))
    }

    @Test func `the challenge of one pass depends on everything that is signed`() {
        let permitted = client.commitment(number("x"), day: 20_000)
        let challenges = [
            commitment.challenge(timestamp: 1, message: [1]),
            commitment.challenge(timestamp: 2, message: [1]),
            commitment.challenge(timestamp: 1, message: [2]),
            commitment.challenge(timestamp: 1, message: []),
            permitted.challenge(timestamp: 1, message: [1]),
        ]
        #expect(Set(challenges.map(\.bytes)).count == challenges.count)
    }

    private func proof(
        identity: MPinIdentity? = nil, commitment: Commitment? = nil, challenge: Scalar? = nil,
        v: G1Point? = nil
    ) -> MPinProof {
        MPinProof(
            identity: identity ?? good.identity, commitment: commitment ?? good.commitment,
            challenge: challenge ?? good.challenge, v: v ?? good.v)
    }
}
