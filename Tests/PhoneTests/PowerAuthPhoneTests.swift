import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import QRCode
import Testing

@testable import Phone

/// The app of PowerAuth on a simulated phone, against the server over HTTP.
@Suite struct PowerAuthPhoneTests {
    @Test(arguments: ["3.0", "3.1", "3.2", "3.3"])
    func `a scanned activation code, once committed, leads to an approved operation`(_ version: String) throws
    {
        let bench = try PhoneBench()
        try bench.scanAndCommit(speaking: version)
        let operation = try bench.operation()
        let waiting = try bench.done { try $0.pending() }
        #expect(waiting.map(\.id) == [operation])
        #expect(waiting.map(\.title) == ["Login approval"] && waiting.map(\.ways) == [[.pin, .biometry]])

        let answer = try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(answer.kind == "approved" && answer.id == operation)
        #expect(try bench.state(of: operation) == "APPROVED")
        #expect(try bench.done { try $0.pending() } == [])
    }

    @Test func `a code that is typed without its signature, or comes in a link, activates too`() throws {
        let bench = try PhoneBench(phones: "{\"name\": \"one\"}, {\"name\": \"two\"}")
        let (first, second) = (try bench.code(), try bench.code())

        let typed = try #require(first.text.split(separator: "#").first.map(String.init))
        #expect(try bench.done("one") { try $0.scan(typed, TypedIn()) }.id == first.id)
        let link = "bank://activate?code=" + second.text.percentEncoded
        #expect(try bench.done("two") { try $0.scan(link, TypedIn()) }.id == second.id)
    }

    @Test func `an operation is approved by biometry and declined with a reason`() throws {
        let bench = try PhoneBench()
        try bench.enrol()
        let (first, second) = (try bench.operation(), try bench.operation())

        _ = try bench.have { try $0.answer(first, PhoneAnswer(.approve, by: .biometry)) }
        _ = try bench.have { try $0.answer(second, PhoneAnswer(.decline, reason: "INCORRECT_DATA")) }
        #expect(try bench.state(of: first) == "APPROVED")
        #expect(try bench.state(of: second) == "REJECTED")
        let detail = try bench.office(.get, "/v2/operations/\(second)")
        #expect(
            detail["additionalData"]?["rejectReason"] == "INCORRECT_DATA"
                || detail["statusReason"] == "INCORRECT_DATA")
    }

    @Test func `wrong PINs are refused as the SDK tells it, and block the activation at last`() throws {
        let bench = try PhoneBench(
            phones:
                "{\"name\": \"ada\", \"owner\": \"ada\"}, {\"name\": \"droid\", \"owner\": \"ada\", \"model\": \"android\"}"
        )
        try bench.enrol()
        try bench.enrol("droid")
        let operation = try bench.operation()

        let refused = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve, by: .wrongPIN)) }
        #expect(refused.sdkError == "WPNKnownRestApiError.authenticationFailure")
        #expect(refused.explanation.hasPrefix("The platform answered 401 POWERAUTH_AUTH_FAIL. "))
        #expect(refused.explanation.contains("PIN"))
        let droid = try bench.refusal("droid") { try $0.answer(operation, PhoneAnswer(.approve, pin: "0")) }
        #expect(droid.sdkError == "ApiErrorCode.POWERAUTH_AUTH_FAIL")

        for _ in 2...5 {
            let other = try bench.operation()
            _ = try bench.refusal { try $0.answer(other, PhoneAnswer(.approve, by: .wrongPIN)) }
        }
        #expect(try bench.fact("State") == "BLOCKED")
        #expect(try bench.fact("Failed attempts") == "5")
        // The app asks for operations and is told; unblocked, it goes on.
        let asked = try bench.refusal { try $0.pending() }
        #expect(asked.sdkError == "WPNKnownRestApiError.authenticationFailure")
        #expect(asked.explanation.contains("BLOCKED"))
        // Not even the right one helps then; the app shows no operations any more.
        let last = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve, fault: .unasked)) }
        #expect(last.sdkError == "WPNKnownRestApiError.authenticationFailure")
        #expect(try bench.state(of: operation) == "PENDING")
    }

    @Test func `an operation that expired meanwhile is refused with the SDK's name for it`() throws {
        let bench = try PhoneBench()
        try bench.enrol()
        let operation = try bench.operation()
        _ = try bench.have { try $0.pending() }

        try bench.world.clock.advance(seconds: 301)
        let refused = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(refused.sdkError == "WPNKnownRestApiError.operationExpired")
        #expect(try bench.state(of: operation) == "EXPIRED")
    }

    @Test func `a phone without a network reads an operation from a QR code and shows the code to type`()
        throws
    {
        let bench = try PhoneBench()
        try bench.enrol()
        let operation = try bench.operation()
        let (text, nonce) = try bench.offlineCode(of: operation)
        _ = try Phones(bench.world).change("ada") { $0.network = .offline }

        let read = try bench.done { try $0.scan(text, TypedIn()) }
        #expect(read.kind == "offline" && read.id == operation)
        let answer = try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }
        let shown = try #require(answer.code)
        #expect(try bench.isRight(shown, for: operation, nonce: nonce))
    }

    @Test func `what a camera brings that nobody knows is refused, and so are pictures of others`() throws {
        let bench = try PhoneBench()

        let unknown = try bench.refusal { try $0.scan("https://example.org/", TypedIn()) }
        #expect(unknown.explanation.hasPrefix("No app on the phone knows what to do with"))
        for picture in ["data:image/png;base64,AAAA", "data:image/jpeg;base64,AAAA", "<svg></svg>"] {
            #expect(try bench.refusal { try $0.scan(picture, TypedIn()) }.kind == .malformed)
        }
    }

    @Test(arguments: [false, true])
    func `a picture of a code, as it is drawn here, is scanned as its text is`(_ isPNG: Bool) throws {
        let bench = try PhoneBench()
        let code = try bench.code()
        let symbol = try QRCode(text: code.text)
        let picture =
            isPNG
            ? "data:image/png;base64," + Data(symbol.png(side: 300)).base64EncodedString() : symbol.svg()

        #expect(try bench.done { try $0.scan(picture, TypedIn()) }.id == code.id)
    }

    @Test
    func `the vault opens with the right PIN alone, and an activation that is removed leaves the app empty`()
        throws
    {
        let bench = try PhoneBench()
        var typed = TypedIn()
        typed.usesBiometry = false
        try bench.enrol("ada", typed)
        let key = try bench.act("unlock_vault").code
        #expect(key?.count == 32)
        #expect(try bench.act("unlock_vault").code == key)
        let refused = try bench.refusal { try $0.perform("unlock_vault", ["pin": "1111"], at: nil) }
        #expect(refused.explanation.contains("PIN"))

        let operation = try bench.operation()
        _ = try bench.act("add_biometry")
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve, by: .biometry)) }
        #expect(try bench.state(of: operation) == "APPROVED")
        let id = try bench.act("remove").id
        #expect(try bench.office(.get, "/v2/registrations/\(id)")["registrationStatus"] == "REMOVED")
        #expect(
            try bench.center.look(at: "ada", in: bench.world).shownApps.contains(where: \.isEnrolled) == false
        )
        #expect(try bench.refusal { try $0.perform("remove", [:], at: nil) }.kind != .malformed)
    }

    @Test func `a code of a stranger's application, and one that was used, are refused`() throws {
        let bench = try PhoneBench(phones: "{\"name\": \"ada\", \"owner\": \"ada\"}, {\"name\": \"two\"}")
        let code = try bench.code()
        let other = try bench.code()
        // The signature of another code.
        let mixed = code.text.prefix { $0 != "#" } + other.text.drop { $0 != "#" }

        let foreign = try bench.refusal { try $0.scan(String(mixed), TypedIn()) }
        #expect(foreign.sdkError == "PowerAuthErrorCode.invalidActivationCode")
        _ = try bench.have { try $0.scan(code.text, TypedIn()) }
        let used = try bench.refusal("two") { try $0.scan(code.text, TypedIn()) }
        #expect(used.sdkError == "PowerAuthErrorCode.networkError")
        #expect(used.explanation.hasPrefix("The platform answered 400 ERR_ACTIVATION. "))
        let again = try bench.refusal { try $0.scan(code.text, TypedIn()) }
        #expect(again.sdkError == "PowerAuthErrorCode.invalidActivationState")
    }

    @Test func `a phone that is offline asks nobody`() throws {
        let bench = try PhoneBench()
        try bench.enrol()
        _ = try Phones(bench.world).change("ada") { $0.network = .offline }
        let before = bench.world.journal.entries().filter { $0.kind == .request }.count

        let refused = try bench.refusal { try $0.pending() }
        #expect(refused.sdkError == "PowerAuthErrorCode.networkError")
        #expect(bench.world.journal.entries().filter { $0.kind == .request }.count == before)
    }

    /// PowerAuthSDK has errors of its own; WPNKnownRestApiError is the kit's above it. Source: published sources of both SDKs 1.9.
    @Test func `what the server refuses PowerAuthSDK has the names of PowerAuthSDK`() throws {
        let bench = try PhoneBench(
            phones: """
                {"name": "ada", "owner": "ada"}, {"name": "droid", "owner": "ada", "model": "android"}, {"name": "new"}
                """)
        let code = try bench.code()
        try bench.enrol()
        try bench.enrol("droid")
        let wrong = try bench.refusal { try $0.perform("unlock_vault", ["pin": "1111"], at: nil) }
        #expect(wrong.sdkError == "PowerAuthErrorCode.networkError")
        #expect(wrong.explanation.hasPrefix("The platform answered 401 ERR_AUTHENTICATION. "))
        let droid = try bench.refusal("droid") { try $0.perform("unlock_vault", ["pin": "1"], at: nil) }
        #expect(droid.sdkError == "ErrorResponseApiException")

        let order = SigningOrder(method: "POST", uriID: "/login", body: [], by: .pin)
        #expect(
            try bench.refusal("new") { try $0.sign("powerauth", order) }.sdkError
                == "PowerAuthErrorCode.missingActivation")
        #expect(
            try bench.refusal("new") { try $0.perform("rename", ["name": "x"], at: "powerauth") }.sdkError
                == "PowerAuthErrorCode.missingActivation")
        #expect(
            try bench.refusal("new") { try $0.sign("nextauth", order) }.sdkError
                == "NO_ACCOUNTS_FOR_SERVER (34)")
        _ = try bench.done("new") { try $0.scan(code.text, TypedIn()) }
    }

    @Test(arguments: ["1.9", "2.x"])
    func `the owner renames the activation, signs data, and sees what the server knows`(_ sdk: String) throws
    {
        let bench = try PhoneBench(
            phones: #"{"name": "ada", "owner": "ada", "sdks": {"powerauth": "\#(sdk)"}}"#)
        try bench.enrol()
        let id = try #require(try bench.fact("Activation"))
        _ = try bench.act("rename", ["name": "Her phone"])
        let registration = try bench.office(.get, "/v2/registrations/\(id)")
        #expect(registration["name"] == "Her phone")
        #expect(
            try bench.refusal { try $0.perform("rename", ["name": "x", "pin": "1111"], at: nil) }
                .explanation.contains("PIN"))

        let claims = try JSONValue(parsing: Array(#require(bench.act("user_info").code).utf8))
        #expect(claims["sub"] == "ada")

        let signature = try #require(try bench.act("sign_data", ["data": "A contract"]).code)
        func isRight(_ data: String) throws -> JSONValue? {
            let path = sdk == "2.x" ? "v4/dsa/verify" : "v3/signature/ecdsa/verify"
            let response = try bench.call(
                .post, "/powerauth-java-server/rest/" + path,
                [
                    "requestObject": [
                        "activationId": .string(id), "signature": .string(signature),
                        "data": .string(Data(data.utf8).base64EncodedString()),
                    ]
                ])
            return try JSONValue(parsing: response.bytes)["responseObject"]?["signatureValid"]
        }
        #expect(try isRight("A contract") == true && isRight("Another") == false)
    }

    @Test func `a signed header is what the back end accepts, once`() throws {
        let bench = try PhoneBench()
        try bench.enrol()
        let order = SigningOrder(method: "POST", uriID: "/login", body: Array("{}".utf8), by: .pin)

        let fields = try bench.done { try $0.sign(nil, order) }
        #expect(fields.map(\.name) == ["X-PowerAuth-Authorization"])
        #expect(try bench.isRight(loginHeader: fields[0].value))
        #expect(try !bench.isRight(loginHeader: fields[0].value))
    }
}
