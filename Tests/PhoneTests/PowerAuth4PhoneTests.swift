import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import Testing

@testable import Phone

/// The app of PowerAuth with SDK 2.x on a simulated phone, against the server over HTTP.
@Suite struct PowerAuth4PhoneTests {
    @Test(arguments: ["4.0", "EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"])
    func `a scanned activation code, once committed, leads to an approved operation`(_ name: String) throws {
        let bench = try PhoneBench()
        try bench.scanAndCommit(speaking: name)
        #expect(try bench.fact("Protocol") == "4.0, " + (name == "4.0" ? "EC_P384_ML_L3" : name))
        let (first, second) = (try bench.operation(), try bench.operation())
        #expect(try Set(bench.done { try $0.pending() }.map(\.id)) == [first, second])
        let answer = try bench.done { try $0.answer(first, PhoneAnswer(.approve)) }
        #expect(answer.kind == "approved" && answer.id == first)
        #expect(try bench.state(of: first) == "APPROVED")
        _ = try bench.done { try $0.answer(second, PhoneAnswer(.decline, reason: "INCORRECT_DATA")) }
        #expect(try bench.state(of: second) == "REJECTED")
        #expect(bench.network.requests.allSatisfy { !$0.path.contains("/pa/v3/") })
    }

    @Test func `the SDK of the phone decides, and an activation stays with its protocol`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        #expect(try bench.fact("Protocol") == "4.0, EC_P384_ML_L3")
        _ = try Phones(bench.world).change("ada") { try $0.set(sdk: "1.9", of: "powerauth") }
        let operation = try bench.operation()
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve, by: .biometry)) }
        #expect(try bench.state(of: operation) == "APPROVED")

        #expect(throws: PhoneRefusal.self) {
            try Phones(bench.world).change("ada") { try $0.set(sdk: "3.x", of: "powerauth") }
        }
        #expect(throws: PhoneRefusal.self) {
            try Phones(bench.world).change("ada") { try $0.set(sdk: "2.x", of: "nextauth") }
        }
    }

    @Test func `the legacy of SDK 2 speaks protocol 3, with the longer configuration`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        var typed = TypedIn()
        typed.version = "LEGACY_P256"
        try bench.enrol("ada", typed)
        #expect(try bench.fact("Protocol") == "3.3")
        let operation = try bench.operation()
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(try bench.state(of: operation) == "APPROVED")
    }

    @Test func `a protocol that nobody knows is refused with those that there are`() throws {
        let bench = try PhoneBench()
        let refused = try bench.refusal { session in
            var typed = TypedIn()
            typed.version = "EC_P521"
            return try session.enrol(nil, typed)
        }
        #expect(refused.kind == .malformed && refused.explanation.contains("EC_P384_ML_L5"))
    }

    @Test func `wrong PINs are refused as the SDK tells it, and block the activation at last`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        for _ in 1...5 {
            let operation = try bench.operation()
            _ = try bench.done { try $0.pending() }
            let refused = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve, by: .wrongPIN)) }
            #expect(refused.sdkError == "WPNKnownRestApiError.authenticationFailure")
            #expect(refused.explanation.contains("PIN"))
        }
        #expect(try bench.fact("State") == "BLOCKED")
        #expect(try bench.fact("Failed attempts") == "5")
    }

    @Test(arguments: [PhoneAnswer.Fault.changedCounter, .stolenKey, .oldProtocol, .otherData])
    func `an approval with a fault is refused, and the phone goes on with its own keys`(
        _ fault: PhoneAnswer.Fault
    ) throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        let operation = try bench.operation()

        let refused = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve, fault: fault)) }
        #expect(refused.kind == .refused && refused.sdkError?.hasPrefix("WPNKnownRestApiError.") == true)
        #expect(try bench.state(of: operation) == "PENDING")
        #expect(try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }.kind == "approved")
    }

    @Test func `an approval that is sent two times at once is taken once; a rooted phone says so`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        let (first, second) = (try bench.operation(), try bench.operation())
        let report = try bench.done { try $0.answer(first, PhoneAnswer(.approve, fault: .twice)) }
        #expect(report.sentence.contains("It was sent two times at once: 200; 4"))
        _ = try bench.done { try $0.answer(second, PhoneAnswer(.approve, fault: .rooted)) }
        let detail = try bench.office(.get, "/v2/operations/\(second)")
        #expect(detail["additionalData"]?["mobileTokenData"] == ["rooted": true])
    }

    @Test func `PIN, biometry and vault are changed with the server's help`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        let key = try bench.act("unlock_vault").code
        #expect(key?.count == 64)
        #expect(try bench.act("unlock_vault").code == key)
        _ = try bench.act("change_pin", ["new_pin": "8642"])
        #expect(try bench.fact("PIN") == "8642")
        #expect(
            try bench.refusal { try $0.perform("change_pin", ["new_pin": "1"], at: nil) }.kind == .malformed)
        #expect(
            try bench.refusal { try $0.perform("unlock_vault", ["pin": "2580"], at: nil) }.explanation
                .contains("PIN"))

        _ = try bench.act("remove_biometry")
        #expect(try bench.fact("Factors") == "possession, knowledge")
        _ = try bench.act("add_biometry")
        let operation = try bench.operation()
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve, by: .biometry)) }
        #expect(try bench.state(of: operation) == "APPROVED")
        let id = try bench.act("remove").id
        #expect(try bench.office(.get, "/v2/registrations/\(id)")["registrationStatus"] == "REMOVED")
    }

    @Test func `an operation from a QR code is answered without a network, for typing`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        let operation = try bench.operation()
        let (text, nonce) = try bench.offlineCode(of: operation)
        // A MAC of 32 bytes behind the 2.
        let last = try #require(text.split(separator: "\n").last)
        #expect(last.hasPrefix("2") && last.count == 45)
        _ = try Phones(bench.world).change("ada") { $0.network = .offline }

        _ = try bench.done { try $0.scan(text, TypedIn()) }
        let shown = try #require(try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }.code)
        #expect(try bench.isRight(shown, for: operation, nonce: nonce))
        let bent = text.replacing("A2", with: "A3")
        #expect(throws: PhoneRefusal.self) { _ = try bench.have { try $0.scan(bent, TypedIn()) } }
    }

    @Test func `a signed header and a token are what the back end accepts`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        try bench.enrol()
        let order = SigningOrder(method: "POST", uriID: "/login", body: Array("{}".utf8), by: .pin)

        let fields = try bench.done { try $0.sign(nil, order) }
        #expect(fields.map(\.name) == ["X-PowerAuth-Authorization"])
        #expect(fields[0].value.contains("pa_version=\"4.0\"") && fields[0].value.contains("pa_auth_code="))
        #expect(try bench.isRight(loginHeader: fields[0].value))
        #expect(try !bench.isRight(loginHeader: fields[0].value))
        let token = SigningOrder(method: "POST", uriID: "", body: [], by: .possession, token: "mine")
        let header = try bench.done { try $0.sign(nil, token) }
        #expect(header.map(\.name) == ["X-PowerAuth-Token"] && header[0].value.contains("version=\"4.0\""))
        let told = try bench.office(.post, "/v2/token/verify", ["authHeader": .string(header[0].value)])
        #expect(told["tokenValid"] == true)
    }

    @Test func `a login at a provider begins with what the server tells it by protocol 4`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        let begun = try bench.done { session in
            var typed = TypedIn()
            typed.provider = "house"
            return try session.enrol(nil, typed)
        }
        #expect(begun.kind == "login" && begun.code?.hasPrefix("https://house.example/authorize?") == true)
        #expect(
            bench.network.requests.contains {
                $0.path.hasSuffix("/api/config/oidc")
                    && $0.headers["X-PowerAuth-Encryption"]?.contains("version=\"4.0\"") == true
            })
    }

    @Test func `a confirmation that is lost on the way is made up for`() throws {
        let bench = try PhoneBench(phones: PhoneBench.nextPhone)
        bench.network.meddle { request in
            if request.path.hasSuffix("/activation/confirm") { request.path = "/enrollment-server/nowhere" }
        }
        let code = try bench.code()
        _ = try bench.refusal { try $0.scan(code.text, TypedIn()) }
        bench.network.meddle { _ in }
        try bench.office(.post, "/v2/registrations/\(code.id)/commit", ["externalUserId": "clerk"])
        let operation = try bench.operation()
        _ = try bench.done { try $0.pending() }
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve, by: .biometry)) }
        #expect(try bench.state(of: operation) == "APPROVED")
    }

    @Test func `an app that is updated goes over to protocol 4 when its owner says so`() throws {
        let bench = try PhoneBench(application: #""offers_upgrade": true,"#)
        try bench.enrol()
        func actions() throws -> [String] {
            try bench.center.look(at: "ada", in: bench.world).shownApps[0].actions.map(\.name)
        }
        #expect(try !actions().contains("upgrade"))
        _ = try Phones(bench.world).change("ada") { try $0.set(sdk: "2.x", of: "powerauth") }
        #expect(try actions().contains("upgrade"))
        let refused = try bench.refusal { try $0.perform("upgrade", ["pin": "1111"], at: nil) }
        #expect(refused.explanation.contains("PIN"))
        #expect(try bench.fact("Protocol") == "3.3")

        // The confirmation is lost, and made up for.
        bench.network.meddle { request in
            if request.path.hasSuffix("/upgrade/confirm") { request.path = "/enrollment-server/nowhere" }
        }
        _ = try bench.refusal { try $0.perform("upgrade", [:], at: nil) }
        bench.network.meddle { _ in }
        #expect(try bench.fact("Protocol") == "4.0, EC_P384_ML_L3")
        let operation = try bench.operation()
        _ = try bench.done { try $0.pending() }
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(try bench.state(of: operation) == "APPROVED")
        #expect(try !actions().contains("upgrade"))
        let id = try #require(try bench.fact("Activation"))
        let registration = try bench.office(.get, "/v2/registrations/\(id)")
        #expect(registration["registrationStatus"] == "ACTIVE")
    }
}
