import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct TransactionTests {
    private func enrolled(transTimeout: Int = 0) throws -> (TestBench<NextAuth>, Device, BackEnd) {
        let bench = try TestBench(
            NextAuth.self, fixtures: Cast.world(pinTimeout: 60, pinTransTimeout: transTimeout))
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())
        return (bench, device, backEnd)
    }

    private func confirm(_ flow: FlowObject, _ device: Device, _ approve: Bool) throws -> FlowObject {
        try device.step(
            "confirm", flow,
            [
                "approve": .boolean(approve),
                "signature": .string(try device.sign(flow, 1, approve: approve ? "1" : "0")),
            ])
    }

    @Test func `an approval asks for the PIN, however recent the last one is`() throws {
        let (_, device, backEnd) = try enrolled()
        let (id, _) = try backEnd.transaction("nonce", 1)
        #expect(try backEnd.status(id) == "0")
        let message = try #require(try device.get("/messages").array?.first)
        #expect(message["type"] == "TRANSACTION")

        let flow = try device.start(["type": "TRANSACTION", "messageid": message["messageid"] ?? .null])
        #expect(flow.interaction?["type"] == "CONFIRM_TRANSACTION")
        #expect(
            flow.interaction?["transaction"] == [
                "tid": .string(id), "amount": "12 EUR", "benificiary": "Bob", "description": "Lunch",
            ])
        let asked = try confirm(flow, device, true)
        #expect(asked.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        #expect(try backEnd.status(id) == "0")
        #expect(try device.answerFactor(asked).state == "DONE")
        #expect(try backEnd.status(id) == "1")
    }

    @Test func `a refusal is done without a PIN`() throws {
        let (_, device, backEnd) = try enrolled()
        let (id, code) = try backEnd.transaction("nonce", 1)
        let flow = try device.start(["type": "TRANSACTION", "data": .string(code)])
        #expect(try confirm(flow, device, false).state == "DONE")
        #expect(try backEnd.status(id) == "2")

        let again = try device.start(["type": "TRANSACTION", "data": .string(code)])
        #expect(again.code == "CODE_USED")
    }

    @Test func `with the timeout -1 an approval needs no PIN`() throws {
        let (_, device, backEnd) = try enrolled(transTimeout: -1)
        let (id, code) = try backEnd.transaction("nonce", 1)
        let flow = try device.start(["type": "TRANSACTION", "data": .string(code)])
        #expect(try confirm(flow, device, true).state == "DONE")
        #expect(try backEnd.status(id) == "1")
    }

    @Test func `who signs a yes has not signed a no`() throws {
        let (_, device, backEnd) = try enrolled()
        let (id, code) = try backEnd.transaction("nonce", 1)
        let flow = try device.start(["type": "TRANSACTION", "data": .string(code)])
        let swapped = try device.step(
            "confirm", flow,
            ["approve": true, "signature": .string(try device.sign(flow, 1, approve: "0"))])
        #expect(swapped.code == "BAD_SIGNATURE")
        #expect(try backEnd.status(id) == "0")
    }

    @Test func `a decided transaction is not asked again, and belongs to its account`() throws {
        let (bench, device, backEnd) = try enrolled()
        let (_, code) = try backEnd.transaction("nonce", 1)
        let message = try #require(try device.get("/messages").array?.first?["messageid"])
        let flow = try device.start(["type": "TRANSACTION", "data": .string(code)])
        let stranger = try Device(bench)
        #expect(
            try stranger.start(["type": "TRANSACTION", "data": .string(code)]).code
                == "NO_ACCOUNTS_FOR_SERVER")
        _ = try confirm(flow, device, false)
        #expect(try device.start(["type": "TRANSACTION", "messageid": message]).code == "WRONG_STATE")
    }

    @Test func `an account that is blocked in the middle approves nothing`() throws {
        let (_, device, backEnd) = try enrolled()
        let (id, code) = try backEnd.transaction("nonce", 1)
        let flow = try device.start(["type": "TRANSACTION", "data": .string(code)])
        let asked = try confirm(flow, device, true)
        try backEnd.block(1)
        #expect(try device.answerFactor(asked).code == "ACCOUNT_BLOCKED")
        #expect(try backEnd.status(id) == "0")
    }
}
