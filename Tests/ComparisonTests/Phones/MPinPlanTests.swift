import Testing

@testable import Comparison

/// What of a recording tells which M-Pin proofs and keys were wrong.
@Suite struct MPinPlanTests {
    private func plan(_ lines: [Rehearsal.Line]) throws -> MPinPlan {
        let play = Rehearsal(lines: lines)
        return MPinPlan(play.exchanges, try play.bases("miracl", RouteBook([])))
    }

    private static let key = String(repeating: "0a", count: 128)

    @Test func `a key that was refused is none to take the place of`() throws {
        func registration(_ status: Int) -> Rehearsal.Line {
            Rehearsal.Line(path: "/registration", asked: #"{"publicKey":"\#(Self.key)"}"#, status: status)
        }
        #expect(try plan([registration(400)]).publicKeys.isEmpty)
        #expect(try plan([registration(400), registration(200)]).publicKeys == [Self.key])
    }

    private func verdict(_ token: String, _ status: Int) -> [Rehearsal.Line] {
        [
            Rehearsal.Line(
                path: "/rps/v2/pass2", asked: #"{"mpin_id":"7b7d"}"#, told: #"{"authOTT":"\#(token)"}"#),
            Rehearsal.Line(
                path: "/rps/v2/authenticate", asked: #"{"authOTT":"\#(token)"}"#, status: status),
        ]
    }

    @Test func `an identity that works after it was blocked was unblocked by nobody in the recording`() throws
    {
        let lines = verdict("a1", 401) + verdict("a2", 410) + verdict("a3", 410) + verdict("a4", 200)
        #expect(try plan(lines).revived == ["a4": 4])
        #expect(try plan(lines).refused == ["a1", "a2", "a3"])

        let verdicts = try Rehearsal(lines: lines).verdicts("miracl")
        #expect(verdicts[7].reason?.contains("blocked there by request #4") == true)
    }

    private func verification(_ v: String, _ status: Int) -> Rehearsal.Line {
        Rehearsal.Line(
            path: "/dvs/verify",
            asked: #"{"signature":{"u":"0401","v":"\#(v)","hash":"ab","mpinId":"7b7d","timestamp":1}}"#,
            status: status)
    }

    @Test func `a signature that held once was right where something in it was changed`() throws {
        let told = try plan([verification("0403", 401), verification("0402", 200)])
        #expect(told.rightSignatures["0401"]?["v"]?.string == "0402")
        #expect(try plan([verification("0403", 401)]).rightSignatures.isEmpty)
    }
}
