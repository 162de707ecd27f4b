import Crypto
import Essentials
import PowerAuthDevice
import Testing

@testable import PowerAuth

@Suite struct OfflineVerificationTests {
    private static let nonce = "QUFBQUFBQUFBQUFBQUFBQQ=="

    private func verify(
        _ bench: MobileBench, _ phone: Device, _ code: String, _ bodies: [String] = ["op&A1*A1CZK"],
        types: [SignatureType] = [.possessionKnowledge, .possessionBiometry]
    ) throws -> AuthenticationOutcome {
        let id = try #require(phone.activation).id
        return try bench.platform.change { turn in
            let activation = try #require(try bench.platform.activations.find(id, in: turn))
            return try bench.platform.authentication.verifyOffline(
                code, nonce: Self.nonce, bodies: bodies.map { Array($0.utf8) }, types: types,
                activation: activation, in: turn)
        }
    }

    private func code(
        _ phone: Device, _ body: String = "op&A1*A1CZK", _ credential: Credential = .pin(MobileBench.pin),
        digits: Int = 8
    ) throws -> String {
        try phone.offlineCode(body: Array(body.utf8), nonce: Self.nonce, with: credential, digits: digits)
    }

    @Test func `a code is right with the dash and without, and tells its factors`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let one = try code(phone)
        #expect(try verify(bench, phone, one).type == .possessionKnowledge)
        let other = try verify(
            bench, phone, try code(phone, "op&A1*A1CZK", .biometry).replacing("-", with: ""))
        #expect(other.isValid && other.type == .possessionBiometry && other.remainingAttempts == 5)
        let again = try verify(bench, phone, one)
        #expect(!again.isValid && again.type == .possessionKnowledge && again.remainingAttempts == 4)
        #expect(
            again.explanation.contains("it is right for the counter value 0, which is used up"),
            "\(again.explanation)")
    }

    @Test func `with several one-time passwords one failure is counted`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let bodies = ["op&A1&11111111", "op&A1&22222222"]
        #expect(try verify(bench, phone, code(phone, bodies[1]), bodies).isValid)
        let wrong = try verify(bench, phone, code(phone, "op&A1&33333333"), bodies)
        #expect(!wrong.isValid && wrong.remainingAttempts == 4)
        #expect(try bench.stored(phone).failedAttempts == 1)
    }

    @Test func `biometry has to be allowed`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let outcome = try verify(
            bench, phone, code(phone, "op&A1*A1CZK", .biometry), types: [.possessionKnowledge])
        #expect(!outcome.isValid)
        #expect(outcome.explanation.contains("made with possession_biometry, expected possession_knowledge"))
    }

    @Test func `shorter codes where the settings want them`() throws {
        let bench = try MobileBench(settings: #""offline_component_length": 4"#)
        let phone = try bench.activePhone()
        #expect(try verify(bench, phone, code(phone, digits: 4)).isValid)
        #expect(try verify(bench, phone, code(phone, digits: 4).replacing("-", with: "")).isValid)
    }

    @Test func `a blocked activation is told`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        try bench.block(phone)
        let outcome = try verify(bench, phone, code(phone))
        #expect(!outcome.isValid && outcome.activation?.state == .blocked && outcome.remainingAttempts == 0)
    }

    @Test func `odd codes are wrong and nothing else`() throws {
        let bench = try MobileBench(settings: #""max_failed_attempts": 64"#)
        let phone = try bench.activePhone()
        for code in [
            "", "-", "12345678", "12345678-123456789", "abcdefgh-abcdefgh", "1234567812345678é", "--------",
        ] {
            let outcome = try verify(bench, phone, code)
            #expect(!outcome.isValid && !outcome.explanation.isEmpty)
        }
    }
}
