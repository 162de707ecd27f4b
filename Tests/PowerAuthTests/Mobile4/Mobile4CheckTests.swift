import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// What the server checks of protocol 4.0, one thing at a time: everything else of the request is right.
@Suite struct Mobile4CheckTests {
    private static let pin = Credential.pin(MobileBench.pin)
    private let bench: MobileBench

    init() throws { bench = try MobileBench() }

    private func expectUnopened(
        because reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: reason,
            sourceLocation: sourceLocation, body)
    }

    private func expectUncoded(
        because reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: reason,
            sourceLocation: sourceLocation, body)
    }

    private func ask(_ phone: Device, _ purpose: Purpose = .activation) throws {
        let path = purpose == .activation ? "/pa/v4/user/info" : "/pa/v4/config/application"
        _ = try phone.encryptedCall(path, [], purpose)
    }

    // MARK: Encryption

    @Test func `a temporary key is that of its version of the application`() throws {
        let other = try bench.phone4()
        let phone = bench.phone(
            MobileConfiguration(
                applicationKey: MobileBench.newKey, applicationSecret: MobileBench.newSecret,
                masterKey: other.configuration.masterKey))
        phone.algorithm = .p384
        phone.faults.temporaryKey = try other.temporaryKey(.application)
        expectUnopened(because: "nor with another application key") { try ask(phone, .application) }
    }

    @Test func `a temporary key is that of its activation`() throws {
        let (phone, other) = (try bench.activePhone4(), try bench.activePhone4())
        phone.faults.temporaryKey = try other.temporaryKey(.activation)
        expectUnopened(because: "was given to the activation") { try ask(phone) }
        phone.faults.temporaryKey = try other.temporaryKey(.application)
        expectUnopened(because: "was given to an application") { try ask(phone) }
        phone.faults.temporaryKey = nil
        try ask(phone)
    }

    @Test func `a temporary key is that of its protocol`() throws {
        let id = try bench.phone().temporaryKey(.application).id
        let scalar = try bench.bench.world.database.read { db in
            try db.value([UInt8].self, "SELECT scalar FROM powerauth_temporary_key WHERE id = \(id)")
        }
        let phone = try bench.phone4()
        phone.faults.temporaryKey = PowerAuthDevice.TemporaryKey(
            id: id, .secret(try #require(scalar)), expires: .max)
        expectUnopened(because: "cannot be used by others") { try ask(phone, .application) }
    }

    @Test func `a message is of now, and comes once`() throws {
        let phone = try bench.activePhone4()
        for (shift, word) in [(-301_000, "past"), (301_000, "future")] {
            phone.faults.timeShift = shift
            expectUnopened(because: "in the \(word), 300 s are allowed") { try ask(phone) }
        }
        phone.faults.timeShift = 0
        try ask(phone)
        expectUnopened(because: "was sent before") { throw ServerRefusal(try phone.replay()) }
        try bench.bench.clock.advance(seconds: 280)
        let key = try phone.temporaryKey(.activation)
        try bench.bench.clock.advance(seconds: 301)
        phone.faults.temporaryKey = key
        expectUnopened(because: "expired at") { try ask(phone) }
    }

    @Test func `a message for an activation is of one that may send it`() throws {
        let phone = try bench.activePhone4()
        _ = try phone.temporaryKey(.activation)
        try bench.block(phone)
        expectUnopened(because: "is BLOCKED, expected ACTIVE") { try ask(phone) }
        #expect(try phone.status().state == .blocked)

        let waiting = try bench.phone4()
        try waiting.activate(.init(.code(bench.register().code)), pin: MobileBench.pin)
        expectUnopened(because: "is PENDING_COMMIT, expected ACTIVE") { try ask(waiting) }
    }

    @Test func `a header of another protocol opens nothing`() throws {
        let phone = try bench.activePhone4()
        let body = phone.style.json(try phone.seal([], .activation).request)
        let header = try phone.encryptionHeader(.activation).replacing("4.0", with: "3.3")
        expectUnopened(because: "speak version 3.3; at this path it is 4.0") {
            let request = DeviceRequest(
                "/pa/v4/user/info", headers: [("X-PowerAuth-Encryption", header)], body: body)
            throw ServerRefusal(try phone.send(request))
        }
    }

    @Test func `both layers of an activation are sealed with one key`() throws {
        let phone = try bench.phone4()
        let (id, code) = try bench.register(.onKeyExchange)
        let caught = Caught()
        phone.faults.plaintext = { purpose, plaintext in
            guard purpose == .application else { return plaintext }
            var members = try #require(try JSONValue(parsing: plaintext).object)
            if let inner = caught.value { members["activationData"] = inner }
            caught.value = members["activationData"]
            return JSONValue.object(members).bytes
        }
        bench.refuses = "/pa/v4/activation/create"
        #expect(throws: ServerRefusal.self) {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        bench.refuses = nil
        phone.temporaryKeys = [:]
        bench.expectRefusal(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: "different temporary keys"
        ) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
        #expect(try bench.stored(id).state == .created)
    }

    private final class Caught: @unchecked Sendable { var value: JSONValue? }

    // MARK: Whose code, whose token

    /// The encryption of one activation with what proves another.
    private func mixed(
        _ path: String, _ purpose: Purpose, of phone: Device, _ name: String,
        proving: ([UInt8]) throws -> String
    ) throws {
        let body = phone.style.json(try phone.seal([], purpose).request)
        let headers = [
            ("X-PowerAuth-Encryption", try phone.encryptionHeader(.activation)), (name, try proving(body)),
        ]
        throw ServerRefusal(try phone.send(DeviceRequest(path, headers: headers, body: body)))
    }

    @Test func `code and encryption are of one activation`() throws {
        let (phone, other) = (try bench.activePhone4(), try bench.activePhone4())
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_ERROR", because: "belongs to another activation"
        ) {
            try mixed("/pa/v4/token/create", .token, of: phone, "X-PowerAuth-Authorization") { body in
                try other.authorization(uriID: "/pa/token/create", body: body, with: Self.pin)
            }
        }
    }

    @Test func `token and encryption are of one activation, and the token of two factors`() throws {
        let (phone, other) = (try bench.activePhone4(), try bench.activePhone4())
        try other.createToken("two", with: Self.pin)
        bench.expectRefusal(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: "belongs to another activation"
        ) {
            try mixed("/pa/v4/activation/detail", .activation, of: phone, "X-PowerAuth-Token") { _ in
                try other.tokenHeader("two")
            }
        }
        try phone.createToken("one")
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_INVALID", because: "does not accept possession"
        ) { _ = try phone.activationName(token: "one") }
    }

    @Test func `codes of either protocol are of their activations`() throws {
        let (third, fourth) = (try bench.activePhone(), try bench.activePhone4())
        expectUncoded(because: "speaks protocol 3, the header 4.0") {
            let header = try fourth.authorization(uriID: "/pa/auth/validate", body: [], with: Self.pin)
                .replacing(#require(fourth.activation).id, with: #require(third.activation).id)
            let request = DeviceRequest(
                "/pa/v4/auth/validate", headers: [("X-PowerAuth-Authorization", header)])
            throw ServerRefusal(try fourth.send(request))
        }
        #expect(try bench.stored(third).failedAttempts == 0)
        expectUncoded(because: "speaks version 3.3, and this path is one of protocol 4") {
            let header = try third.authorization(uriID: "/pa/auth/validate", body: [], with: Self.pin)
            let request = DeviceRequest(
                "/pa/v4/auth/validate", headers: [("X-PowerAuth-Authorization", header)])
            throw ServerRefusal(try third.send(request))
        }
    }
}
