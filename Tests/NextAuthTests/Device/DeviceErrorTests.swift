import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

/// The rows of the error table that no other test provokes with their whole body.
@Suite struct DeviceErrorTests {
    private let bench: TestBench<NextAuth>
    private let device: Device

    init() throws {
        bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        device = try Device(bench)
    }

    private func expect(
        _ response: Response, _ status: Status, _ code: String, _ number: Int, _ message: String
    ) {
        #expect(response.status == status)
        #expect(response.fields == ["code": code, "number": String(number), "message": message])
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        "{", #"{"platform": "test"}"#, #"{"platform": "symbian", "clientVersion": "1"}"#,
    ])
    func `what cannot be read is malformed`(_ body: String) {
        let response = bench.post(Device.base + "/instances", raw: body)
        expect(response, .badRequest, "BAD_REQUEST", 1, "The request is malformed")
    }

    @Test(
        arguments: [
            ["type": "SIGNUP"], ["type": "LOGIN"], ["type": "LOGIN", "data": "na1;L;x"],
            ["type": "LOGIN", "data": "???"], ["type": "APPLOGIN", "config": ["inactivityTimeout": 0]],
        ] as [JSONValue])
    func `a flow that cannot begin is malformed`(_ wish: JSONValue) {
        let response = device.send(.post, "/flows", wish)
        expect(response, .badRequest, "BAD_REQUEST", 1, "The request is malformed")
    }

    @Test func `a code of another kind is malformed`() throws {
        let code = try BackEnd(bench: bench).enrolmentCode()
        let response = device.send(.post, "/flows", ["type": "LOGIN", "data": .string(code)])
        expect(response, .badRequest, "BAD_REQUEST", 1, "The request is malformed")
        #expect(bench.explanation?.hasPrefix("The code is of the type E, a flow LOGIN") == true)
    }

    @Test(arguments: ["", "Bearer x", "Device", "Device unknown"])
    func `every call needs the token of an installation`(_ authorization: String) {
        let response = bench.get(
            Device.base + "/instance", headers: authorization.isEmpty ? [:] : ["Authorization": authorization]
        )
        expect(response, .unauthorized, "UNAUTHORIZED", 2, "The device token is missing or unknown")
    }

    @Test func `an enrolment with a key of somebody else is refused`() throws {
        let code = try BackEnd(bench: bench).enrolmentCode()
        let flow = try device.start(["type": "ENROL", "data": .string(code)])
        let response = device.send(
            .post, "/flows/\(flow.id)/confirm",
            ["publickey": .string(Cast.publicKey), "description": "Phone", "signature": "AAAA"])
        expect(response, .forbidden, "BAD_SIGNATURE", 3, "The proof does not verify")
        #expect(bench.explanation?.hasPrefix("The signature has 3 bytes") == true)
    }

    @Test func `an unknown server`() {
        let response = bench.get(Device.base + "/servers/nobody")
        expect(response, .notFound, "SERVER_NOT_FOUND", 35, "No such server")
    }

    @Test func `an unknown flow, and one of another device`() throws {
        let code = try BackEnd(bench: bench).enrolmentCode()
        let flow = try device.start(["type": "ENROL", "data": .string(code)])
        expect(
            device.send(.get, "/flows/nothing"), .notFound, "FLOW_NOT_FOUND", 36, "No such flow")
        let stranger = try Device(bench)
        expect(
            stranger.send(.post, "/flows/\(flow.id)/cancel"), .notFound, "FLOW_NOT_FOUND", 36,
            "No such flow")
    }

    @Test(arguments: ["secondfactor", "complete"])
    func `a step out of turn`(_ step: String) throws {
        let code = try BackEnd(bench: bench).enrolmentCode()
        let flow = try device.start(["type": "ENROL", "data": .string(code)])
        let response = device.send(.post, "/flows/\(flow.id)/\(step)", ["signature": "AAAA"])
        expect(response, .conflict, "WRONG_STATE", 37, "The step does not fit the state")
    }

    @Test func `an AppLogin has nothing to confirm`() throws {
        var device = device
        try device.enrol(try BackEnd(bench: bench).enrolmentCode())
        let flow = try device.start(["type": "APPLOGIN"])
        let response = device.send(
            .post, "/flows/\(flow.id)/confirm", ["accountid": 1, "signature": "AAAA"])
        expect(response, .conflict, "WRONG_STATE", 37, "The step does not fit the state")
        #expect(bench.explanation?.hasPrefix("An AppLogin has nothing to confirm") == true)
    }

    @Test func `a code that nobody made`() throws {
        let code = try BackEnd(bench: bench).enrolmentCode()
        let forged =
            code.prefix { $0 != ";" } + code.drop { $0 != ";" }.dropLast(22) + "AAAAAAAAAAAAAAAAAAAAAA"
        let response = device.send(.post, "/flows", ["type": "ENROL", "data": .string(String(forged))])
        expect(response, .gone, "CODE_USED", 40, "The code was used or has expired")
    }

    @Test func `an unknown session and an unknown message`() {
        expect(
            device.send(.post, "/sessions/none/ping", [:]), .notFound, "SESSION_NOT_FOUND", 42,
            "No such running session")
        expect(
            device.send(.post, "/messages/none/read"), .notFound, "MESSAGE_NOT_FOUND", 43,
            "No such message")
    }

    @Test func `an unknown path and a wrong method`() {
        expect(
            device.send(.get, "/nothing"), .notFound, "NOT_FOUND", 44, "Nothing answers at this path")
        let response = device.send(.delete, "/flows")
        expect(
            response, .methodNotAllowed, "METHOD_NOT_ALLOWED", 45,
            "The path does not answer this method")
        #expect(response.headers["Allow"] == "POST")
    }
}
