import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

@Suite struct SecondFactorTests {
    private func enrolled(
        biometric: Bool = false, config: JSONValue = [:]
    ) throws -> (TestBench<NextAuth>, Device) {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        var device = try Device(bench)
        if biometric { device.biometrics = try PrivateKey.generate(.ec(.p256)) }
        try device.enrol(try BackEnd(bench: bench).enrolmentCode(), config: config)
        bench.time.advance(seconds: 61)
        return (bench, device)
    }

    private func blocked(biometric: Bool = false, config: JSONValue = [:]) throws -> (
        TestBench<NextAuth>, Device
    ) {
        let (bench, device) = try enrolled(biometric: biometric, config: config)
        var flow = try device.start(["type": "APPLOGIN"])
        for _ in 1...5 { flow = try device.step("secondfactor", flow, device.factor(flow, 1, pin: "00000")) }
        #expect(flow.state == "ERROR")
        return (bench, device)
    }

    @Test func `five wrong PINs block it, each with another challenge`() throws {
        let (bench, device) = try enrolled()
        var flow = try device.start(["type": "APPLOGIN"])
        var challenges = [flow.challenge]
        for left in [4, 3, 2, 1] {
            flow = try device.step("secondfactor", flow, device.factor(flow, 1, pin: "00000"))
            #expect(flow.state == "WAIT_FOR_INPUT")
            #expect(flow.interaction?["result"] == "WRONG")
            #expect(flow.interaction?["triesleft"]?.integer == left)
            challenges.append(flow.challenge)
        }
        #expect(Set(challenges).count == 5)

        flow = try device.step("secondfactor", flow, device.factor(flow, 1, pin: "00000"))
        #expect(flow.state == "ERROR")
        #expect(flow.interaction?["result"] == "BLOCKED")
        #expect(
            flow.json["error"] == [
                "code": "SECOND_FACTOR_BLOCKED", "number": 41, "message": "The second factor is blocked",
            ])
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "BLOCKED")

        let next = device.send(.post, "/flows", ["type": "APPLOGIN"])
        #expect(next.status.code == 423)
        #expect(
            next.fields == [
                "code": "SECOND_FACTOR_BLOCKED", "number": "41", "message": "The second factor is blocked",
            ])
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the right PIN resets the count`() throws {
        let (_, device) = try enrolled()
        var flow = try device.start(["type": "APPLOGIN"])
        flow = try device.step("secondfactor", flow, device.factor(flow, 1, pin: "00000"))
        #expect(flow.interaction?["triesleft"] == 4)
        flow = try device.step("secondfactor", flow, device.factor(flow, 1))
        #expect(flow.state == "DONE")
        #expect(try device.get("/instance")["secondfactor"]?["triesleft"] == 5)
    }

    @Test func `a wrong signature counts no try`() throws {
        let (bench, device) = try enrolled()
        let flow = try device.start(["type": "APPLOGIN"])
        var body = try #require(try device.factor(flow, 1, pin: "00000").object)
        body["signature"] = .string(try device.sign(flow, 1, approve: "1"))
        let refused = device.send(.post, "/flows/\(flow.id)/secondfactor", .object(body))
        #expect(refused.status == .forbidden)
        #expect(
            refused.fields == [
                "code": "BAD_SIGNATURE", "number": "3", "message": "The proof does not verify",
            ])
        #expect(bench.explanation?.contains("understudy-nextauth-1") == true)
        #expect(try device.get("/instance")["secondfactor"]?["triesleft"] == 5)
    }

    @Test func `a signature without the last line feed is explained`() throws {
        let (bench, device) = try enrolled()
        let flow = try device.start(["type": "APPLOGIN"])
        let text = "understudy-nextauth-1\n\(flow.id)\nAPPLOGIN\n\(flow.challenge)\n1\n"
        let signature = try #require(device.keys[1]).sign(Array(text.utf8), with: .es256)
        let body: JSONValue = [
            "pinproof": .string(try device.pinProof(flow.challenge)),
            "signature": .string(Base64URL.encode(signature)),
        ]
        #expect(try device.step("secondfactor", flow, body).code == "BAD_SIGNATURE")
        #expect(bench.explanation?.contains("without the line feed at its end") == true)
    }

    @Test func `a signature in DER is as good`() throws {
        let (_, device) = try enrolled()
        let flow = try device.start(["type": "APPLOGIN"])
        let raw = try #require(Base64URL.decode(try device.sign(flow, 1)))
        let body: JSONValue = [
            "pinproof": .string(try device.pinProof(flow.challenge)),
            "signature": .string(Base64URL.encode(try ECSignature.der(fromRaw: raw, .p256))),
        ]
        #expect(try device.step("secondfactor", flow, body).state == "DONE")
    }

    @Test func `a proof of the challenge before is told apart from a wrong PIN`() throws {
        let (bench, device) = try enrolled()
        let first = try device.start(["type": "APPLOGIN"])
        let second = try device.step("secondfactor", first, device.factor(first, 1, pin: "00000"))
        let body: JSONValue = [
            "pinproof": .string(try device.pinProof(first.challenge)),
            "signature": .string(try device.sign(second, 1)),
        ]
        #expect(try device.step("secondfactor", second, body).interaction?["triesleft"] == 3)
        let told = bench.journal.first { $0.event == "wrong PIN" }?.explanation
        #expect(told?.hasPrefix("The proof is of the right PIN, but over the challenge before") == true)
    }

    private func biometricBody(_ flow: FlowObject, _ device: Device) throws -> JSONValue {
        let key = try #require(device.biometrics)
        return [
            "biometricsignature": .string(
                try device.sign(
                    key, id: flow.id, type: flow.type, challenge: flow.challenge, subject: "1")),
            "signature": .string(try device.sign(flow, 1)),
        ]
    }

    @Test func `biometrics stand in for the PIN, also for a blocked one`() throws {
        let (_, device) = try blocked(biometric: true)
        let flow = try device.start(["type": "APPLOGIN"])
        #expect(flow.interaction?["allowed"] == ["BIOMETRIC"])
        #expect(try device.step("secondfactor", flow, biometricBody(flow, device)).state == "DONE")
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "BLOCKED")
    }

    @Test func `biometrics are blocked with the PIN where the app wants that`() throws {
        let (_, device) = try blocked(biometric: true, config: ["blockSecondFactorOnPINBlocked": true])
        #expect(try device.start(["type": "APPLOGIN"]).code == "SECOND_FACTOR_BLOCKED")
    }

    @Test func `biometrics that were never set are refused`() throws {
        var (_, device) = try enrolled()
        device.biometrics = try PrivateKey.generate(.ec(.p256))
        let flow = try device.start(["type": "APPLOGIN"])
        #expect(try device.step("secondfactor", flow, biometricBody(flow, device)).code == "WRONG_STATE")
    }

    @Test func `the PIN changes by the old one`() throws {
        var (_, device) = try enrolled()
        let challenge = try #require(try device.post("/instance/challenge")["challenge"]?.string)
        let body: JSONValue = [
            "oldproof": .string(try device.pinProof(challenge)),
            "pinkey": .string(Base64URL.encode(try device.pinKey("99999"))), "challenge": .string(challenge),
        ]
        #expect(device.send(.post, "/instance/pin", body).status == .ok)

        #expect(device.send(.post, "/instance/pin", body).fields["code"] == "WRONG_STATE")
        device.pin = "99999"
        let flow = try device.start(["type": "APPLOGIN"])
        #expect(try device.step("secondfactor", flow, device.factor(flow, 1)).state == "DONE")
    }

    @Test func `a wrong old PIN counts`() throws {
        let (bench, device) = try enrolled()
        let challenge = try #require(try device.post("/instance/challenge")["challenge"]?.string)
        let refused = device.send(
            .post, "/instance/pin",
            [
                "oldproof": .string(try device.pinProof(challenge, pin: "00000")),
                "pinkey": .string(Base64URL.encode(try device.pinKey("99999"))),
                "challenge": .string(challenge),
            ])
        #expect(refused.status == .forbidden)
        #expect(bench.explanation == "The old PIN is wrong: 4 tries are left.")
        #expect(try device.get("/instance")["secondfactor"]?["triesleft"] == 4)
    }

    @Test func `biometrics change a blocked PIN`() throws {
        let (_, device) = try blocked(biometric: true)
        let challenge = try #require(try device.post("/instance/challenge")["challenge"]?.string)
        let signature = try device.sign(
            #require(device.biometrics), id: device.instanceID, type: "CHANGE_PIN", challenge: challenge,
            subject: "")
        let answer = device.send(
            .post, "/instance/pin",
            [
                "biometricsignature": .string(signature),
                "pinkey": .string(Base64URL.encode(try device.pinKey("99999"))),
                "challenge": .string(challenge),
            ])
        #expect(answer.status == .ok)
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "SET")
    }

    @Test func `of two first enrolments the second proves the PIN that the first has set`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        let waiting = try device.confirmEnrolment(
            device.start(["type": "ENROL", "data": .string(try backEnd.enrolmentCode())])
        ).flow
        try device.enrol(try backEnd.enrolmentCode("other"))

        device.pin = "99999"
        #expect(try device.answerFactor(waiting).code == "WRONG_STATE")
        #expect(bench.explanation?.hasPrefix("Another flow has set a PIN") == true)
    }

    @Test func `a PIN that is gone cannot be proven by an empty key`() throws {
        let (bench, device) = try enrolled()
        let flow = try device.start(["type": "APPLOGIN"])
        try bench.world.database.write { db in
            var instance = try #require(try Instance.find(device.instanceID, in: db))
            instance.factor = SecondFactor()
            try db.update(instance)
        }
        let challenge = try #require(Base64URL.decode(flow.challenge))
        let body: JSONValue = [
            "pinproof": .string(Base64URL.encode(Digest.sha256.authenticationCode(of: challenge, key: []))),
            "signature": .string(try device.sign(flow, 1)),
        ]
        #expect(try device.step("secondfactor", flow, body).code == "WRONG_STATE")
    }
}
