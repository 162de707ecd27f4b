import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct KeyTests {
    private struct Answer: Decodable {
        struct Keys: Decodable {
            let algorithm: String
            let previous: String
            let current: String
            let next: String
        }

        let platform: String
        let keys: [Keys]
    }

    @Test func `the keys of a platform rotate, and the answer names them in the order in which they sign`()
        throws
    {
        let bench = try ConsoleBench()

        let answer = try bench.post("/keys/rotate", #"{"platform": "acme"}"#).json(Answer.self)

        #expect(answer.platform == "acme")
        #expect(answer.keys.map(\.algorithm) == ["ES256", "RS256"])
        #expect(answer.keys.map(\.previous) == [TestKeys.ecID, TestKeys.rsaID])
        let again = try bench.post("/keys/rotate", #"{"platform": "acme", "algorithm": "ES256"}"#).json(
            Answer.self)
        #expect(again.keys.map(\.algorithm) == ["ES256"])
        #expect(again.keys.first?.previous == answer.keys.first?.current)
        #expect(again.keys.first?.current == answer.keys.first?.next)
        #expect(bench.world.journal.entries().contains { $0.event == "keys rotated" && $0.subject == "acme" })
    }

    @Test(
        arguments: [
            (
                #"{"platform": "nobody"}"#, 404,
                "The fixtures bring no signing key for nobody; add one to the section “keys”."
            ),
            (
                #"{"platform": "acme", "algorithm": "PS256"}"#, 404,
                "The fixtures bring no PS256 key for acme; add one to the section “keys”."
            ),
            (
                "{}", 400,
                "The value of “platform” must be the name of a platform, such as “onegini”, but is left out."
            ),
            (
                #"{"platform": "acme", "algorithm": 7}"#, 400,
                "The value of “algorithm” must be an algorithm such as “RS256”, but is 7."
            ),
            (
                #"{"platfrom": "acme"}"#, 400,
                "There is no member “platfrom” here, only platform, algorithm, tenant."
            ),
        ])
    func `what cannot rotate is explained`(_ body: String, _ status: Int, _ detail: String) throws {
        #expect(try ConsoleBench().post("/keys/rotate", body).detail(Status(code: status)) == detail)
    }
}
