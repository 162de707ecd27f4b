import Crypto
import DeviceKit
import Essentials
import PowerAuthDevice
import Testing

@testable import PowerAuth

@Suite struct MACTokenTests {
    private func verify(_ bench: MobileBench, _ header: String) throws -> Result<
        AuthenticationOutcome, TokenRefusal
    > {
        do {
            return .success(
                try bench.platform.change { turn in
                    try bench.platform.authentication.verify(TokenHeader(header), in: turn)
                })
        } catch let refusal as TokenRefusal {
            return .failure(refusal)
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `a token is right once with each header`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        let id = try phone.createToken("t").id
        let header = try phone.tokenHeader("t")
        let outcome = try verify(bench, header).get()
        #expect(outcome.isValid && outcome.type == .possession && outcome.explanation == "")
        #expect(outcome.application?.id == "bank" && outcome.remainingAttempts == 5)
        #expect(try verify(bench, header) == .failure(.replayed(tokenID: id)))
        #expect(try bench.stored(phone).counter == 1, "the token's creation alone used the counter")
    }

    @Test func `the time of a token has two edges`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(.v31)
        try phone.createToken("t")
        for (shift, expected) in [
            (-7_201_000, TokenRefusal.tooOld(seconds: 7201, limit: 7200)),
            (-7_200_001, .tooOld(seconds: 7201, limit: 7200)),
            (1_800_001, .tooFarAhead(seconds: 1801, limit: 1800)),
            (1_801_000, .tooFarAhead(seconds: 1801, limit: 1800)),
        ] {
            phone.faults.timeShift = shift
            #expect(try verify(bench, phone.tokenHeader("t")) == .failure(expected))
        }
        for shift in [-7_200_000, 1_800_000] {
            phone.faults.timeShift = shift
            #expect(try verify(bench, phone.tokenHeader("t")).get().isValid)
        }
        phone.version = .v33
        phone.faults.timeShift = 61_000
        #expect(
            try verify(bench, phone.tokenHeader("t")) == .failure(.tooFarAhead(seconds: 61, limit: 60)))
    }

    @Test func `a wrong digest does not use up the nonce of a right one`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(.v33)
        try phone.createToken("t")
        let header = try phone.tokenHeader("t")
        let digest = Base64.encode([UInt8](repeating: 7, count: 32))
        let wrong = header.replacing(/token_digest="[^"]*"/, with: "token_digest=\"\(digest)\"")
        #expect(try !verify(bench, wrong).get().isValid)
        #expect(try verify(bench, header).get().isValid)
    }

    @Test func `a wrong digest is explained, and costs nothing`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(.v31)
        let id = try phone.createToken("t").id
        let header = try phone.tokenHeader("t")
        let other = try verify(bench, header.replacing("\"3.1\"", with: "\"3.3\"")).get()
        #expect(!other.isValid)
        #expect(
            other.explanation
                == "The digest of the token \(id) is wrong for version 3.3; it would be right for 3.1, which does not cover the "
                + "version.")
        phone.version = .v32
        let newer = try phone.tokenHeader("t").replacing("\"3.2\"", with: "\"3.1\"")
        #expect(
            try verify(bench, newer).get().explanation.contains("it would be right for 3.2, which covers"))
        let digest = try TokenHeader(phone.tokenHeader("t")).digest
        let broken = try phone.tokenHeader("t")
            .replacing(/token_digest="[^"]*"/, with: "token_digest=\"\(Base64.encode(digest))\"")
        #expect(try verify(bench, broken).get().explanation.contains("another secret, nonce or timestamp"))
        #expect(try bench.stored(phone).failedAttempts == 0)
    }

    @Test func `a token dies with its activation, and rests while that is blocked`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let token = try phone.createToken("t")
        try bench.block(phone)
        let blocked = try verify(bench, phone.tokenHeader("t")).get()
        #expect(
            !blocked.isValid && blocked.activation?.state == .blocked && blocked.application?.id == "bank")
        #expect(blocked.explanation.contains("is BLOCKED (LOST), expected ACTIVE"))
        let id = try #require(phone.activation).id
        _ = try bench.platform.change { turn in
            let activation = try #require(try bench.platform.activations.find(id, in: turn))
            return try bench.platform.activations.remove(
                activation, by: nil, revokingRecoveryCodes: false, in: turn)
        }
        let removed = try verify(bench, phone.tokenHeader("t")).get()
        #expect(removed.activation == nil)
        #expect(removed.explanation == "There is no token \(token.id): it was removed, or never existed.")
    }

    @Test func `one removes one's own tokens, and never learns of others`() throws {
        let bench = try MobileBench()
        let (phone, other) = (try bench.activePhone(), try bench.activePhone())
        let token = try phone.createToken("t")
        other.tokens["t"] = token
        try other.removeToken("t")
        #expect(try verify(bench, phone.tokenHeader("t")).get().isValid)
        phone.tokens["twice"] = token
        try phone.removeToken("t")
        try phone.removeToken("twice")
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_REQUEST_INVALID",
            because: "requestObject.tokenId is missing"
        ) { try phone.signedCall("/pa/v3/token/remove", uriID: "/pa/token/remove", with: .possession) }
        bench.expectUnsigned(because: "the PIN is wrong") {
            phone.tokens["t"] = token
            try phone.removeToken("t", with: .pin("0"))
        }
    }

    @Test func `creation tells a wrong code from a body that cannot be read`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        bench.expectUnsigned(because: "the PIN is wrong") {
            try phone.createToken("t", with: .pin("0000"))
        }
        phone.faults.breaksMAC = true
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_ERROR", because: "The mac of the encrypted request"
        ) { try phone.createToken("t") }
        #expect(try bench.stored(phone).counter == 2, "the code was used up")
        phone.faults = .init()
        for (body, told) in [("{}", "“ephemeralPublicKey” is missing"), ("", "is not JSON")] {
            _ = try phone.signedRequest(
                "/pa/v3/token/create", body: Array(body.utf8), uriID: "/pa/token/create", with: .possession)
            bench.expectRefused(401, "ERR_AUTHENTICATION", "POWER_AUTH_REQUEST_INVALID", because: told)
        }
    }

    @Test func `the detail asks for a token of two factors`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        try phone.createToken("weak")
        try phone.createToken("strong", with: .biometry)
        bench.expectUnsigned(
            because: "does not accept possession, only possession_biometry, possession_knowledge"
        ) {
            _ = try phone.activationName(token: "weak")
        }
        phone.faults.timeShift = -7_300_000
        bench.expectUnsigned(because: "7300 s old, 7200 s are allowed") {
            _ = try phone.activationName(token: "strong")
        }
        phone.faults = .init()
        #expect(try phone.activationName(token: "strong") == nil)
        var request = try #require(phone.lastRequest)
        request.headers.removeAll { $0.name == "X-PowerAuth-Token" }
        _ = try phone.send(request)
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID",
            because: "The header X-PowerAuth-Token is missing.")
        request.headers.append(("X-PowerAuth-Token", "PowerAuth x"))
        _ = try phone.send(request)
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", because: "expected pairs such as")
        phone.faults.breaksMAC = true
        bench.expectRefusal(
            400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: "The mac of"
        ) { _ = try phone.activationName(token: "strong") }
    }

    @Test func `a new name has to be one, and is signed before it is encrypted`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        for name in ["", String(repeating: "x", count: 256)] {
            bench.expectRefusal(
                400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: "must be 1 to 255 characters"
            ) { try phone.renameActivation(name, with: .pin(MobileBench.pin)) }
        }
        bench.expectUnsigned(because: "the PIN is wrong") { try phone.renameActivation("x", with: .pin("0")) }
        bench.expectUnsigned(because: "does not accept possession,") {
            try phone.renameActivation("x", with: .possession)
        }
        phone.faults.breaksMAC = true
        bench.expectRefusal(400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: "The mac of") {
            try phone.renameActivation("x", with: .biometry)
        }
        #expect(try bench.stored(phone).name == nil)
    }
}
