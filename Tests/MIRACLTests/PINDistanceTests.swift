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
