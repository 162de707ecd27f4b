import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.7.
@Suite struct EnrollmentTests {
    /// The bench is in 2026 and the keys of the vectors are of 2024.
    static let certificate = OpenPGPVectors.shared.deviceRSA
    static let fingerprint = OpenPGPVectors.shared.deviceRSAFingerprints[0]

    private func start(_ bench: TestBench<Onegini>, _ phone: Phone) throws -> Response {
        try bench.post(
            bench.sdk("/mobile-auth/enrollments"), ["profile_id": phone.profile], headers: phone.user)
    }

    private func send(
        _ bench: TestBench<Onegini>, _ phone: Phone, _ id: String, key: String = certificate
    ) throws -> Response {
        try bench.put(
            bench.sdk("/mobile-auth/enrollments/\(id)/keys"), ["public_key": key], headers: phone.user)
    }

    private func acknowledge(
        _ bench: TestBench<Onegini>, _ phone: Phone, _ id: String
    ) throws -> Response {
        try bench.post(
            bench.sdk("/mobile-auth/enrollments/\(id)/ack"), [String: String](), headers: phone.user)
    }

    private func show(_ bench: TestBench<Onegini>, _ phone: Phone) -> Response {
        bench.get(
            bench.sdk("/mobile-auth/enrollment?profile_id=\(phone.profile)"), headers: phone.user)
    }

    /// Source: RFC 7515 §A.3.1; the thumbprint (RFC 7638) was computed with Python's hashlib.
    static let jwk: JSONValue = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    static let thumbprint = "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"

    @Test func `a P-256 key enrolls in the place of a certificate, and the server has none for it`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let id = try #require(try start(bench, phone).fields["enrollment_id"])
        let order: JSONValue = ["jwk": Self.jwk]
        let sent = try bench.put(
            bench.sdk("/mobile-auth/enrollments/\(id)/keys"), order, headers: phone.user)
        #expect(sent.status == .ok && sent.fields == ["device_key_fingerprint": Self.thumbprint])
        #expect(try acknowledge(bench, phone, id).status == .ok)
        let shown = ["enrolled": "true", "push_enrolled": "false", "device_key_fingerprint": Self.thumbprint]
        #expect(show(bench, phone).fields == shown)
    }

    @Test func `a certificate or a key, one of them`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let neither: JSONValue = ["profile_id": .string(phone.profile)]
        let both: JSONValue = [
            "profile_id": .string(phone.profile), "jwk": Self.jwk, "public_key": .string(Self.certificate),
        ]
        for order in [neither, both] {
            let refused = try bench.post(bench.sdk("/mobile-auth/enroll"), order, headers: phone.user)
            #expect(refused.status == .badRequest && refused.fields["sdk_code"] == "10015")
            #expect(bench.explanation?.contains("public_key") == true)
        }
        #expect(show(bench, phone).fields["enrolled"] == "false")
    }

    @Test func `three steps enroll a profile, which counts from the last one on`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let serverFingerprint = try #require(try bench.onegini.world.serverKey()?.fingerprint)

        let started = try start(bench, phone)
        #expect(started.status == .created)
        #expect(started.fields["expires_in"] == "120")
        let id = try #require(started.fields["enrollment_id"])
        let sent = try send(bench, phone, id)
        #expect(sent.status == .ok)
        #expect(sent.fields["server_key_fingerprint"] == serverFingerprint)
        #expect(sent.fields["device_key_fingerprint"] == Self.fingerprint)
        let server = try OpenPGPCertificate(
            try #require(sent.fields["server_public_key"]), at: bench.onegini.server.now)
        #expect(server.fingerprint == serverFingerprint)
        #expect(show(bench, phone).fields == ["enrolled": "false", "push_enrolled": "false"])

        let acknowledged = try acknowledge(bench, phone, id)
        #expect(acknowledged.status == .ok)
        #expect(acknowledged.fields == ["enrolled": "true"])
        #expect(
            show(bench, phone).fields == [
                "enrolled": "true", "push_enrolled": "false", "device_key_fingerprint": Self.fingerprint,
                "server_key_fingerprint": serverFingerprint,
            ])
        let types = try bench.eventTypes.filter { $0.contains("ENROLLMENT") }
        #expect(
            types == [
                "ENROLLMENT_INITIALIZED", "ENROLLMENT_KEY_FETCHED", "ENROLLMENT_ACK_SUCCESS",
                "KEY_ENROLLMENT_SUCCESS",
            ])
    }

    @Test func `one call does the three steps`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        let response = try bench.post(
            bench.sdk("/mobile-auth/enroll"),
            ["profile_id": phone.profile, "public_key": OpenPGPVectors.shared.deviceCurve],
            headers: phone.user)

        #expect(response.status == .ok, "\(response.text)")
        #expect(response.fields["enrolled"] == "true")
        #expect(
            response.fields["device_key_fingerprint"] == OpenPGPVectors.shared.deviceCurveFingerprints[0])
        #expect(show(bench, phone).fields["enrolled"] == "true")
    }

    @Test func `keys that are not acknowledged in time are dropped`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let id = try #require(try start(bench, phone).fields["enrollment_id"])
        #expect(try send(bench, phone, id).status == .ok)
        try bench.clock.advance(seconds: 120)

        let response = try acknowledge(bench, phone, id)

        #expect(response.status == .notFound)
        #expect(response.refusal == ["error": "unknown_enrollment", "sdk_code": "10015"])
        #expect(bench.explanation?.contains("expired 0 s ago") == true)
        #expect(show(bench, phone).fields["enrolled"] == "false")
    }

    @Test func `without keys there is nothing to acknowledge`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let id = try #require(try start(bench, phone).fields["enrollment_id"])

        let response = try acknowledge(bench, phone, id)

        #expect(response.status == .conflict)
        #expect(response.refusal == ["error": "keys_not_exchanged", "sdk_code": "9021"])
    }

    @Test func `an enrollment of nobody, of another device and of another profile`() throws {
        let bench = try TestBench<Onegini>.devices()
        let ada = try bench.registeredUser()
        let grace = try bench.logIn("grace", on: ada)
        let other = try bench.registeredUser()
        let id = try #require(try start(bench, ada).fields["enrollment_id"])

        for response in [try send(bench, ada, "none"), try send(bench, other, id)] {
            #expect(response.status == .notFound)
            #expect(response.refusal == ["error": "unknown_enrollment", "sdk_code": "10015"])
        }
        let mismatch = try send(bench, grace, id)
        #expect(mismatch.status == .forbidden)
        #expect(mismatch.refusal == ["error": "profile_mismatch", "sdk_code": "10015"])
    }

    @Test(arguments: [
        "", "no key", "-----BEGIN PGP PUBLIC KEY BLOCK-----", OpenPGPVectors.shared.deviceRSASecret,
    ])
    func `a key that is none is refused with the reason`(key: String) throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        let response = try bench.post(
            bench.sdk("/mobile-auth/enroll"), ["profile_id": phone.profile, "public_key": key],
            headers: phone.user)

        #expect(response.status == .badRequest)
        #expect(
            response.refusal == [
                "error": key.isEmpty ? "invalid_request" : "invalid_public_key", "sdk_code": "10015",
            ])
        #expect(response.fields["error_description"]?.isEmpty == false)
    }

    @Test func `every enrollment call needs a token for the profile that it names`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let foreign = ["profile_id": "ZZZZZZ", "public_key": Self.certificate, "push_token": "token"]

        let calls: [(Headers) throws -> Response] = [
            { try bench.post(bench.sdk("/mobile-auth/enrollments"), foreign, headers: $0) },
            { try bench.post(bench.sdk("/mobile-auth/enroll"), foreign, headers: $0) },
            { bench.get(bench.sdk("/mobile-auth/enrollment?profile_id=ZZZZZZ"), headers: $0) },
            { bench.delete(bench.sdk("/mobile-auth/enrollment?profile_id=ZZZZZZ"), headers: $0) },
            { try bench.put(bench.sdk("/mobile-auth/push"), foreign, headers: $0) },
            { bench.delete(bench.sdk("/mobile-auth/push?profile_id=ZZZZZZ"), headers: $0) },
        ]
        for call in calls {
            let mismatch = try call(phone.user)
            #expect(mismatch.status == .forbidden)
            #expect(mismatch.refusal == ["error": "profile_mismatch", "sdk_code": "10015"])
            let nobody = try call([:])
            #expect(nobody.status == .unauthorized)
            #expect(nobody.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
            #expect(nobody.refusal == ["error": "invalid_token", "sdk_code": "9010"])
        }
        let nameless = bench.get(bench.sdk("/mobile-auth/enrollment"), headers: phone.user)
        #expect(nameless.refusal == ["error": "invalid_request", "sdk_code": "10015"])
    }

    @Test func `enrollment can be off`() throws {
        let bench = try TestBench<Onegini>.devices(section: #""enrollment": {"enabled": false},"#)
        let phone = try bench.registeredUser()

        let response = try start(bench, phone)

        #expect(response.status == .forbidden)
        #expect(response.refusal == ["error": "enrollment_disabled", "sdk_code": "9017"])
        #expect(try bench.eventTypes.last == "KEY_ENROLLMENT_FAILURE_DISABLED")
    }

    @Test func `a world without server keys enrolls nobody`() throws {
        let bench = try TestBench<Onegini>.devices(hasKeys: false)
        let phone = try bench.registeredUser()

        let response = try bench.post(
            bench.sdk("/mobile-auth/enroll"),
            ["profile_id": phone.profile, "public_key": Self.certificate], headers: phone.user)

        #expect(response.refusal == ["error": "enrollment_disabled", "sdk_code": "9017"])
    }

    @Test func `enrolling again is allowed, and keeps the push token`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        try bench.enroll(phone)
        #expect(try push(bench, phone, "token").status == .noContent)

        try bench.enroll(phone, certificate: OpenPGPVectors.shared.deviceCurve)

        #expect(show(bench, phone).fields["push_enrolled"] == "true")
        #expect(
            show(bench, phone).fields["device_key_fingerprint"]
                == OpenPGPVectors.shared.deviceCurveFingerprints[0])
    }

    @Test func `enrolling again can be forbidden`() throws {
        let bench = try TestBench<Onegini>.devices(
            section: #""enrollment": {"reenrollment_allowed": false},"#)
        let phone = try bench.registeredUser()
        try bench.enroll(phone)

        let response = try start(bench, phone)

        #expect(response.status == .conflict)
        #expect(response.refusal == ["error": "already_enrolled", "sdk_code": "9016"])
    }

    @Test func `each enrollment can have keys of its own`() throws {
        let bench = try TestBench<Onegini>.devices(section: #""enrollment": {"unique_keys": true},"#)
        let phone = try bench.registeredUser()

        try bench.enroll(phone)

        let own = try #require(show(bench, phone).fields["server_key_fingerprint"])
        #expect(own != (try bench.onegini.world.serverKey()?.fingerprint))
        let enrollment = try bench.world.database.read { db in
            try db.enrollment(of: phone.profile, on: phone.id)
        }
        #expect(try bench.onegini.world.serverKey(of: #require(enrollment))?.fingerprint == own)
    }

    @Test func `a stateless token enrolls nobody`() throws {
        let bench = try TestBench<Onegini>.devices()
        var phone = try bench.register()
        let stateless = try bench.post(
            "/oauth/custom-registration/understudy-direct/complete",
            JSONValue.object([
                "data": ["userId": "ada"],
                "grant_type": "urn:onewelcome:oauth2:grant_type:stateless_authentication",
            ]), headers: phone.headers)
        let token = try #require(try stateless.json(TestBench<Onegini>.Completed.self).oauth_token)
        #expect(token.refresh_token == nil)
        phone.accessToken = token.access_token
        phone.profile = "W8DUJ2"

        let response = try start(bench, phone)

        #expect(response.status == .forbidden)
        #expect(response.refusal == ["error": "stateless_token", "sdk_code": "9033"])
        #expect(try bench.eventTypes.last == "KEY_ENROLLMENT_FAILURE_STATELESS_ACCESS_TOKEN")
    }

    @Test func `the device ends its enrollment, also twice`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        try bench.enroll(phone)
        let path = bench.sdk("/mobile-auth/enrollment?profile_id=\(phone.profile)")

        #expect(bench.delete(path, headers: phone.user).status == .noContent)
        #expect(show(bench, phone).fields["enrolled"] == "false")
        #expect(bench.delete(path, headers: phone.user).status == .noContent)
    }

    // MARK: - Push

    private func push(_ bench: TestBench<Onegini>, _ phone: Phone, _ token: String) throws -> Response {
        try bench.put(
            bench.sdk("/mobile-auth/push"), ["profile_id": phone.profile, "push_token": token],
            headers: phone.user)
    }

    @Test func `push comes after the keys, and goes alone`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        let early = try push(bench, phone, "token")
        #expect(early.status == .conflict)
        #expect(early.refusal == ["error": "keys_not_exchanged", "sdk_code": "9021"])
        try bench.enroll(phone)
        #expect(try push(bench, phone, "token").status == .noContent)
        #expect(show(bench, phone).fields["push_enrolled"] == "true")

        let path = bench.sdk("/mobile-auth/push?profile_id=\(phone.profile)")
        #expect(bench.delete(path, headers: phone.user).status == .noContent)
        #expect(show(bench, phone).fields["push_enrolled"] == "false")
        #expect(show(bench, phone).fields["enrolled"] == "true")
    }

    @Test func `a push token belongs to one installation`() throws {
        let bench = try TestBench<Onegini>.devices(
            section: #""enrollment": {"push_mode": "multiple_devices"},"#)
        let (one, other) = (try bench.registeredUser(), try bench.registeredUser("grace"))
        try bench.enroll(one)
        try bench.enroll(other)
        #expect(try push(bench, one, "token").status == .noContent)

        let response = try push(bench, other, "token")

        #expect(response.status == .conflict)
        #expect(response.refusal == ["error": "push_token_in_use", "sdk_code": "9016"])
        #expect(try push(bench, one, "token").status == .noContent)
    }

    @Test(arguments: ["single_device", "override", "multiple_devices"])
    func `a user has push on one device or on several, as the mode says`(mode: String) throws {
        let bench = try TestBench<Onegini>.devices(section: #""enrollment": {"push_mode": "\#(mode)"},"#)
        let (one, other) = (try bench.registeredUser(), try bench.registeredUser())
        try bench.enroll(one)
        try bench.enroll(other)
        #expect(try push(bench, one, "first").status == .noContent)

        let response = try push(bench, other, "second")

        if mode == "single_device" {
            #expect(response.status == .conflict)
            #expect(response.refusal == ["error": "user_already_enrolled", "sdk_code": "9018"])
        } else {
            #expect(response.status == .noContent)
        }
        #expect(show(bench, one).fields["push_enrolled"] == (mode == "override" ? "false" : "true"))
    }

    @Test func `push can be off`() throws {
        let bench = try TestBench<Onegini>.devices(section: #""enrollment": {"push_enabled": false},"#)
        let phone = try bench.registeredUser()
        try bench.enroll(phone)

        let response = try push(bench, phone, "token")

        #expect(response.status == .forbidden)
        #expect(response.refusal == ["error": "enrollment_disabled", "sdk_code": "9017"])
    }
}

extension TestBench where P == Onegini {
    func enroll(_ phone: Phone, certificate: String = EnrollmentTests.certificate) throws {
        let response = try post(
            sdk("/mobile-auth/enroll"), ["profile_id": phone.profile, "public_key": certificate],
            headers: phone.user)
        #expect(response.status == .ok, "\(response.text)")
    }
}
