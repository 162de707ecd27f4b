import Crypto
import Testing

@testable import MIRACL

struct PINDistanceTests {
    let master: MasterSecret
    let commitment: Commitment
    let client: Client

    init() throws {
        master = try someMaster()
        client = Client(someIdentity, master: master, pin: 5000)
        commitment = client.commitment(number("x"))
    }

    @Test(arguments: [0, 1, -1, 2, -100, 101, 201, 202, -4999, 4999, 9999, -9999])
    func `the distance of a wrong PIN of four digits is found, with its sign`(_ distance: Int) {
        #expect(master.pinDistance(of: proof(pin: 5000 + distance), limit: 10_000) == distance)
    }

    @Test(arguments: [1, -123_456, 999_999, -999_999])
    func `the distance of a wrong PIN of six digits is found`(_ distance: Int) {
        #expect(master.pinDistance(of: proof(pin: 5000 + distance), limit: 1_000_000) == distance)
    }

    @Test(arguments: [0, 1, -1, 100, -101, 4999, -9999])
    func `the distance is found for an identity with a key pair`(_ distance: Int) throws {
        let proof = try keyed(pin: 5000 + distance)
        #expect(master.pinDistance(of: proof, limit: 10_000) == distance)
    }

    @Test func `with a key pair too, what is off by more is another fault`() throws {
        #expect(try master.pinDistance(of: keyed(pin: 15_001), limit: 10_000) == nil)
        #expect(
            try master.pinDistance(of: keyed(pin: 5001, exponent: number("another z")), limit: 10_000) == nil)
    }

    private func keyed(pin: Int, exponent: Scalar? = nil) throws -> MPinProof {
        let z = number("z")
        let identity = MPinIdentity([1, 2, 3], publicKey: try Client.publicKey(for: z))
        let client = Client(identity, master: master, pin: 5000, secretExponent: exponent ?? z)
        return MPinProof(
            identity: identity, commitment: client.commitment(number("x")), challenge: number("y"),
            v: client.proof(number("x"), challenge: number("y"), pin: pin))
    }

    @Test func `what is off by more than PINs can be is another fault`() {
        #expect(master.pinDistance(of: proof(pin: 15_000), limit: 10_000) == nil)
        #expect(master.pinDistance(of: proof(pin: -5000), limit: 10_000) == nil)
        let stale = MPinProof(
            identity: someIdentity, commitment: commitment, challenge: number("another y"),
            v: proof(pin: 5001).v)
        #expect(master.pinDistance(of: stale, limit: 10_000) == nil)
    }

    @Test(arguments: [-10, 0, 1, 2, 3])
    func `a limit of a few steps is kept`(_ limit: Int) {
        let found = (-4...4).map { master.pinDistance(of: proof(pin: 5000 + $0), limit: limit) }
        #expect(found == (-4...4).map { abs($0) < limit ? $0 : nil })
    }

    private func proof(pin: Int) -> MPinProof {
        MPinProof(
            identity: someIdentity, commitment: commitment, challenge: number("y"),
            v: client.proof(number("x"), challenge: number("y"), pin: pin))
    }
}
