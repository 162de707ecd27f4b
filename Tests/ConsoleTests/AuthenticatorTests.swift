import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Console

/// Passkeys by the control API, against a relying party that the published vectors vouch for.
@Suite struct AuthenticatorTests {
    static let origin = "https://login.example.org"
    static let party = RelyingParty(id: "example.org", origins: [origin])
    static let challenge = Array("0123456789abcdef".utf8)
    static let now = Date(timeIntervalSince1970: 1_780_000_000)

    static func creation(
        user: String = "ada", algorithms: [Int] = [-7], attestation: String = "none",
        _ more: [String: JSONValue] = [:]
    ) -> String {
        let options: [String: JSONValue] = [
            "rp": ["id": "example.org", "name": "Example"],
            "user": ["id": text(Array(user.utf8)), "name": .string(user), "displayName": "Ada"],
            "challenge": text(challenge), "attestation": .string(attestation),
            "pubKeyCredParams": .array(algorithms.map { ["type": "public-key", "alg": .integer($0)] }),
        ]
        return JSONValue.object(options.merging(more) { $1 }).text
    }

    static func request(_ allowed: [JSONValue] = []) -> String {
        JSONValue.object([
            "challenge": text(challenge), "rpId": "example.org",
            "allowCredentials": .array(allowed.map { ["type": "public-key", "id": $0] }),
        ]).text
    }

    static func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

    static func register(
        _ json: [UInt8], _ change: (inout RegistrationRequest) -> Void = { _ in }
    ) throws -> CredentialRecord {
        var request = RegistrationRequest(
            relyingParty: party, challenge: IssuedChallenge(challenge, for: .registration),
            algorithms: [-7, -35, -36, -8, -257, -37])
        change(&request)
        return CredentialRecord(
            try request.verify(json, at: now) { _ in false }, userHandle: Array("ada".utf8))
    }

    static func logIn(_ json: [UInt8], _ record: CredentialRecord) throws -> VerifiedAuthentication {
        var request = AuthenticationRequest(
            relyingParty: party, challenge: IssuedChallenge(challenge, for: .authentication))
        request.userVerification = .required
        return try request.verify(json, at: now) { $0 == record.id ? record : nil }
    }

    static func refusal(_ body: () throws -> Any) -> WebAuthnCheck? {
        #expect(throws: WebAuthnRefusal.self) { _ = try body() }?.check
    }

    /// A new authenticator's path.
    static func make(_ bench: ConsoleBench, _ body: String? = nil) throws -> String {
        let made = bench.post("/authenticators", body ?? "{\"origin\": \"\(origin)\"}")
        #expect(made.status == .created)
        return "/authenticators/" + (made.fields["id"] ?? "")
    }

    func patch(_ bench: ConsoleBench, _ path: String, _ json: String) -> Response {
        bench.send(
            .patch, ConsoleBench.root + path, body: json, headers: ["Content-Type": "application/json"])
    }

    @Test func `a new authenticator is shown in full, listed, and deleted`() throws {
        let bench = try ConsoleBench()

        let made = bench.post("/authenticators", #"{"name": "Ada's phone"}"#)
        #expect(made.status == .created)
        let id = try #require(made.fields["id"])
        #expect(made.headers["Location"] == "http://localhost:8420/_understudy/v1/authenticators/" + id)
        let shown = try JSONValue(parsing: made.bytes)
        #expect(shown["name"] == "Ada's phone")
        #expect(shown["origin"] == nil)
        #expect(shown["credentials"] == [])
        #expect(shown["behaviour"]?.object?.keys.sorted() == AuthenticatorBehaviour.names.sorted())
        #expect(bench.get("/authenticators/" + id).bytes == made.bytes)
        let list = try JSONValue(parsing: bench.get("/authenticators").bytes)
        #expect(list["authenticators"] == [shown])

        #expect(bench.delete("/authenticators/" + id).status == .noContent)
        #expect(bench.delete("/authenticators/" + id).status == .notFound)
        #expect(
            bench.get("/authenticators/" + id).detail(404)
                == "There is no authenticator “\(id)” in the world default.")
        #expect(try JSONValue(parsing: bench.get("/authenticators").bytes)["authenticators"] == [])
    }

    @Test(arguments: [-7, -35, -36, -8, -257, -37], [false, true])
    func `a passkey is made and logs in`(_ algorithm: Int, _ isWrapped: Bool) throws {
        let bench = try ConsoleBench()
        let path = try Self.make(bench)
        let wrap = { (json: String) in isWrapped ? "{\"publicKey\":\(json)}" : json }

        let created = bench.post(path + "/create", wrap(Self.creation(algorithms: [algorithm])))
        #expect(created.status == .ok)
        let record = try Self.register(created.bytes)
        let got = bench.post(path + "/get", wrap(Self.request([Self.text(record.id)])))
        #expect(got.status == .ok)
        #expect(try Self.logIn(got.bytes, record).userHandle == Array("ada".utf8))

        let kept = try JSONValue(parsing: bench.get(path).bytes)["credentials"]?.array
        #expect(
            kept == [
                [
                    "id": Self.text(record.id), "rpId": "example.org",
                    "userHandle": Self.text(Array("ada".utf8)),
                    "userName": "ada", "algorithm": .integer(algorithm), "signCount": 0, "prf": false,
                ]
            ])
        let events = bench.world.journal.entries().compactMap(\.event)
        #expect(events == ["credential used", "credential created", "authenticator made"])
    }

    @Test func `a phone's is asked by its name, is there from then on, and keeps synced passkeys`() throws {
        let bench = try ConsoleBench()
        #expect(bench.post("/phones", #"{"name": "ada"}"#).status == .created)
        #expect(bench.get("/authenticators/ada").status == .notFound)

        let query = "?origin=" + Self.origin
        let created = bench.post("/authenticators/ada/create" + query, Self.creation())
        #expect(created.status == .ok)
        #expect(bench.post("/authenticators/ada/get" + query, Self.request()).status == .ok)
        #expect(try Self.register(created.bytes).isBackupEligible)
        let shown = try JSONValue(parsing: bench.get("/authenticators/ada").bytes)
        #expect(shown["phone"] == "ada" && shown["credentials"]?.array?.count == 1)
        #expect(shown["behaviour"]?["backedUp"] == true)
        #expect(bench.post("/authenticators", #"{"phone": "ada"}"#).status == .conflict)
        #expect(bench.post("/authenticators/nobody/get", Self.request()).status == .notFound)
        // POST where PATCH is not to be had; null puts back what a phone's has.
        let patched = bench.post(
            "/authenticators/ada", #"{"behaviour": {"backedUp": false, "userHandleForm": "absent"}}"#)
        #expect(try JSONValue(parsing: patched.bytes)["behaviour"]?["backedUp"] == false)
        let reset = patch(bench, "/authenticators/ada", #"{"behaviour": null}"#)
        #expect(try JSONValue(parsing: reset.bytes)["behaviour"] == shown["behaviour"])
    }

    @Test(arguments: [
        ("base64url", "YWRh" as JSONValue?), ("text", "ada"), ("absent", nil),
    ])
    func `the user handle of a login has the form that was asked for`(_ form: String, _ handle: JSONValue?)
        throws
    {
        let bench = try ConsoleBench()
        let path = try Self.make(bench)
        _ = bench.post(path + "/create", Self.creation())
        #expect(patch(bench, path, #"{"behaviour": {"userHandleForm": "\#(form)"}}"#).status == .ok)
        let got = try JSONValue(parsing: bench.post(path + "/get", Self.request()).bytes)
        #expect(got["response"]?["userHandle"] == handle)
    }

    @Test func `the origin comes from the query, else from the authenticator, else it is the server's`()
        throws
    {
        let bench = try ConsoleBench()
        let own = try Self.make(bench)
        let bare = try Self.make(bench, "{}")
        func origin(_ path: String, _ options: String = Self.creation()) throws -> String? {
            let created = try JSONValue(parsing: bench.post(path, options).bytes)
            let data = try #require(Base64URL.decode(created["response"]?["clientDataJSON"]?.string ?? ""))
            return try JSONValue(parsing: data)["origin"]?.string
        }

        #expect(try origin(own + "/create") == Self.origin)
        #expect(try origin(own + "/create?origin=https://example.org") == "https://example.org")
        #expect(
            try origin(bare + "/create", Self.creation(["rp": ["name": "Here"]])) == "http://localhost:8420")
        let app = "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
        #expect(try origin(bare + "/create?origin=" + app) == app)
    }

    static let creationLies: [(String, WebAuthnCheck)] = [
        (#"{"clientDataOrigin": "https://evil.example"}"#, .origin), (#"{"challenge": "AQ"}"#, .challenge),
        (#"{"type": "webauthn.get"}"#, .type), (#"{"userPresent": false}"#, .userPresence),
        (#"{"userVerified": false}"#, .userVerification), (#"{"backedUp": true}"#, .backupState),
        (#"{"rpId": "example.net"}"#, .relyingPartyHash), (#"{"crossOrigin": true}"#, .crossOrigin),
        (#"{"topOrigin": "https://shop.example"}"#, .topOrigin),
        (#"{"breaksSignature": true, "attestation": "packed-self"}"#, .attestationSignature),
    ]

    @Test(arguments: creationLies)
    func `each switch makes a registration that is refused`(_ behaviour: String, _ check: WebAuthnCheck)
        throws
    {
        let bench = try ConsoleBench()
        let path = try Self.make(bench, "{\"origin\": \"\(Self.origin)\", \"behaviour\": \(behaviour)}")
        let created = bench.post(path + "/create", Self.creation())

        #expect(
            Self.refusal { try Self.register(created.bytes) { $0.userVerification = .required } } == check)
    }

    static let requestLies: [(String, WebAuthnCheck)] = [
        (#"{"clientDataOrigin": "https://evil.example"}"#, .origin), (#"{"challenge": "AQ"}"#, .challenge),
        (#"{"userVerified": false}"#, .userVerification), (#"{"backupEligible": true}"#, .backupEligibility),
        (#"{"breaksSignature": true}"#, .signature), (#"{"userHandle": ""}"#, .userHandle),
        (#"{"userHandle": "Ym9i"}"#, .userHandle), (#"{"counter": "backwards"}"#, .signCount),
    ]

    @Test(arguments: requestLies)
    func `a switch turned later makes the next login fail, and turned back lets it pass`(
        _ behaviour: String, _ check: WebAuthnCheck
    ) throws {
        let bench = try ConsoleBench()
        let path = try Self.make(
            bench, "{\"origin\": \"\(Self.origin)\", \"behaviour\": {\"counter\": \"increasing\"}}")
        let record = try Self.register(bench.post(path + "/create", Self.creation()).bytes)

        let turned = patch(bench, path, "{\"behaviour\": \(behaviour)}")
        #expect(turned.status == .ok)
        let lie = bench.post(path + "/get", Self.request())
        #expect(Self.refusal { try Self.logIn(lie.bytes, record) } == check)

        #expect(patch(bench, path, #"{"behaviour": null}"#).status == .ok)
        #expect(patch(bench, path, #"{"behaviour": {"counter": "increasing"}}"#).status == .ok)
        var verified = try Self.logIn(bench.post(path + "/get", Self.request()).bytes, record)
        verified = try Self.logIn(bench.post(path + "/get", Self.request()).bytes, verified.record)
        #expect(verified.signCount > record.signCount)
    }

    @Test func `null puts one switch back, and the others stay`() throws {
        let bench = try ConsoleBench()
        let path = try Self.make(
            bench,
            #"{"name": "a", "origin": "https://a.example", "behaviour": {"type": "x", "transports": ["usb"], "counter": "increasing"}}"#
        )

        let changed = try JSONValue(
            parsing: patch(bench, path, #"{"origin": null, "behaviour": {"type": null, "transports": null}}"#)
                .bytes)
        #expect(changed["name"] == "a" && changed["origin"] == nil)
        #expect(changed["behaviour"]?["type"] == .null)
        #expect(changed["behaviour"]?["transports"] == ["internal", "hybrid"])
        #expect(changed["behaviour"]?["counter"] == "increasing")
    }

    @Test(arguments: [
        ("none", "direct", AttestationType.none), ("packed-self", "none", .selfAttestation),
        ("asked", "direct", .selfAttestation), ("asked", "none", .none), ("packed-x5c", "none", .basic),
        ("fido-u2f", "none", .basic), ("tpm", "none", .attestationCA), ("android-key", "none", .basic),
        ("apple", "none", .anonymizationCA),
    ])
    func `the attestation is of the kind that was chosen, and certificates lead to the root of the list`(
        _ attestation: String, _ conveyance: String, _ type: AttestationType
    ) throws {
        let bench = try ConsoleBench()
        let aaguid = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"
        let path = try Self.make(
            bench,
            """
            {"origin": "\(Self.origin)", "behaviour": {"attestation": "\(attestation)", "aaguid": "\(aaguid)"}}
            """)
        let created = bench.post(path + "/create", Self.creation(attestation: conveyance))
        let list = try JSONValue(parsing: bench.get("/authenticators").bytes)
        let root = try Certificate(pem: #require(list["attestationRoot"]?.string))

        var request = RegistrationRequest(
            relyingParty: Self.party, challenge: IssuedChallenge(Self.challenge, for: .registration),
            algorithms: [-7])
        request.attestation = AttestationPolicy(
            anchors: [root], date: Self.now, requiresTrust: ![.none, .selfAttestation].contains(type))
        let registered = try request.verify(created.bytes, at: Self.now) { _ in false }
        #expect(registered.attestation.type == type)
        #expect(Hex.encode(registered.aaguid) == aaguid.filter { $0 != "-" })
    }

    /// What a browser would reject the promise with, and the status beside it.
    static let refusals: [(call: String, options: String, status: Status, title: String, detail: String)] = [
        (
            "get", request(), .unprocessableContent, "NotAllowedError",
            "No credential for “example.org” is here. The authenticator has no credentials yet."
        ),
        (
            "create?origin=https://example.net", creation(), .unprocessableContent, "SecurityError",
            "The relying party id “example.org” is not “example.net” or a domain around it. The page or app is at "
                + "https://example.net; name another origin in the query (origin=…) or in the authenticator."
        ),
        (
            "create", creation(algorithms: [-47]), .unprocessableContent, "NotSupportedError",
            "None of the algorithms is known: -47; the authenticator has ES256 (-7), ES384 (-35), ES512 (-36), EdDSA (-8), "
                + "RS256 (-257), PS256 (-37). Change what the relying party asks for, or the switches of the authenticator: "
                + "algorithms, attestation, largeBlob."
        ),
        (
            "create", creation(["extensions": ["largeBlob": ["read": true]]]), .unprocessableContent,
            "NotSupportedError",
            "“largeBlob.read” and “largeBlob.write” are for logins, not for registrations. Change what the relying party asks "
                + "for, or the switches of the authenticator: algorithms, attestation, largeBlob."
        ),
        (
            "create", creation(["extensions": ["prf": ["eval": ["second": "AQ"]]]]), .badRequest, "TypeError",
            "“prf.eval.first” is missing in the options, or no base64url. Send the options of the relying party as they are, with "
                + "or without “publicKey” around them."
        ),
        (
            "create", "{}", .badRequest, "TypeError",
            "“pubKeyCredParams” is missing in the options. Send the options of the relying party as they are, with or without "
                + "“publicKey” around them."
        ),
    ]

    @Test(arguments: refusals.indices)
    func `a refusal has the name that a browser gives it`(_ index: Int) throws {
        let (call, options, status, title, detail) = Self.refusals[index]
        let bench = try ConsoleBench()
        let path = try Self.make(bench)

        let refused = bench.post("\(path)/\(call)", options)
        #expect(refused.status == status)
        #expect(refused.headers["Content-Type"] == "application/problem+json")
        #expect(refused.fields["title"] == title)
        #expect(refused.fields["detail"] == detail)
        let entry = bench.world.journal.entries().first
        #expect(entry?.event == "ceremony refused" && entry?.explanation?.contains(detail) == true)
    }

    @Test func `a credential that is excluded, and one that is not allowed, are refused`() throws {
        let bench = try ConsoleBench()
        let path = try Self.make(bench)
        let id = Self.text(try Self.register(bench.post(path + "/create", Self.creation()).bytes).id)

        let excluded = bench.post(
            path + "/create", Self.creation(["excludeCredentials": [["type": "public-key", "id": id]]]))
        #expect(excluded.status == .conflict && excluded.fields["title"] == "InvalidStateError")
        let other = bench.post(path + "/get", Self.request(["AQID"]))
        #expect(other.status == .unprocessableContent && other.fields["title"] == "NotAllowedError")
        #expect(other.fields["detail"]?.hasSuffix("It has credentials for example.org.") == true)
    }

    @Test func `the user picks one of several accounts`() throws {
        let bench = try ConsoleBench()
        let path = try Self.make(bench)
        let ada = try Self.register(bench.post(path + "/create", Self.creation()).bytes)
        _ = bench.post(path + "/create", Self.creation(user: "bob"))

        let picked = bench.post(path + "/get?credential=" + Base64URL.encode(ada.id), Self.request())
        #expect(try JSONValue(parsing: picked.bytes)["id"] == Self.text(ada.id))
        let newest = try JSONValue(parsing: bench.post(path + "/get", Self.request()).bytes)
        #expect(newest["response"]?["userHandle"] == Self.text(Array("bob".utf8)))
        #expect(bench.post(path + "/get?credential=*", Self.request()).detail(400).contains("base64url"))
    }

    @Test(arguments: [
        (
            #"{"behaviour": {"userVerifed": true}}"#,
            "There is no member “userVerifed” here, only attestation, "
        ),
        (
            #"{"behaviour": {"userVerified": 1}}"#,
            "The value of “behaviour.userVerified” must be true or false, but is 1."
        ),
        (
            #"{"behaviour": {"counter": "odd"}}"#,
            "The value of “behaviour.counter” must be one of “zero”, “increasing”, "
        ),
        (
            #"{"behaviour": {"algorithms": []}}"#,
            "The value of “behaviour.algorithms” must be a list of at least one of ES256 (-7), "
        ),
        (#"{"behaviour": {"algorithms": [-47]}}"#, "The value of “behaviour.algorithms” must be "),
        (
            #"{"behaviour": {"attestation": "apple", "attestationFault": "aaguid"}}"#,
            "The value of “behaviour.attestationFault” must be null or one of “issuer”, “key”, “nonce” with the "
                + "attestation “apple”, but is “aaguid”."
        ),
        (
            #"{"behaviour": {"attestationFault": "key"}}"#,
            "The value of “behaviour.attestationFault” must be null with the attestation “asked”, but is “key”."
        ),
        (#"{"behaviour": {"prf": true}}"#, "The value of “behaviour.prf” must be one of “create”, "),
        (#"{"behaviour": {"aaguid": "1"}}"#, "The value of “behaviour.aaguid” must be a UUID, "),
        (#"{"behaviour": {"challenge": "+"}}"#, "The value of “behaviour.challenge” must be base64url "),
        (#"{"behaviour": {"transports": [1]}}"#, "The value of “behaviour.transports” must be a list "),
        (#"{"behaviour": 1}"#, "The value of “behaviour” must be an object, but is 1."),
        (#"{"origin": "https://example.org/"}"#, "The value of “origin” must be an origin such as "),
        (#"{"origin": "android:apk-key-hash:AB:CD"}"#, "The value of “origin” must be an origin such as "),
        (#"{"name": ""}"#, "The value of “name” must be a text of 1 to 300 characters, but is “”."),
        (#"{"nam": "x"}"#, "There is no member “nam” here, only name, "),
    ])
    func `what is no authenticator is refused, and changes nothing`(_ body: String, _ detail: String) throws {
        let bench = try ConsoleBench()
        let path = try Self.make(bench)
        let before = bench.get(path).bytes

        #expect(bench.post("/authenticators", body).detail(400).hasPrefix(detail))
        #expect(patch(bench, path, body).detail(400).hasPrefix(detail))
        #expect(bench.get(path).bytes == before)
    }

    @Test func `authenticators belong to a world and go with a reset`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", #"{"name": "blue"}"#)
        let path = try Self.make(bench)

        #expect(bench.send(.get, "/w/blue" + ConsoleBench.root + path).status == .notFound)
        #expect(bench.post("/worlds/default/reset", "{}").status == .noContent)
        #expect(bench.get(path).status == .notFound)
        #expect(bench.post(path + "/get", Self.request()).status == .notFound)
        #expect(patch(bench, path, "{}").status == .notFound)
    }

    @Test func `with a seed, the same calls make the same credentials`() throws {
        func story(_ seed: Int) throws -> [JSONValue?] {
            let bench = try ConsoleBench()
            #expect(bench.post("/worlds", "{\"name\": \"w\", \"seed\": \(seed)}").status == .created)
            func post(_ call: String, _ json: String) throws -> JSONValue {
                let request = Request(
                    .post, "/w/w" + ConsoleBench.root + call,
                    headers: ["Host": "localhost:8420", "Content-Type": "application/json"],
                    body: Array(json.utf8))
                return try JSONValue(parsing: bench.send(request).bytes)
            }
            let id = try #require(
                try post("/authenticators", "{\"origin\": \"\(Self.origin)\"}")["id"]?.string)
            let created = try post("/authenticators/\(id)/create", Self.creation())
            return [.string(id), created["id"], created["response"]?["publicKey"]]
        }
        #expect(try story(1) == story(1))
        #expect(try story(1) != story(2))
    }

    @Test func `a world has room for 100 authenticators, and one of them for 50 credentials`() throws {
        let bench = try ConsoleBench()
        let path = try Self.make(bench)
        for _ in 2...100 { #expect(bench.post("/authenticators", "{}").status == .created) }
        for number in 1...50 {
            let created = bench.post(path + "/create", Self.creation(user: "user \(number)"))
            #expect(created.status == .ok)
        }

        let more = bench.post("/authenticators", "{}")
        #expect(more.detail(409).hasPrefix("A world has at most 100 authenticators;"))
        let full = bench.post(path + "/create", Self.creation(user: "one more"))
        #expect(full.detail(409).hasPrefix("An authenticator keeps at most 50 credentials;"))
        // An account that has one gets another in its place.
        #expect(bench.post(path + "/create", Self.creation(user: "user 1")).status == .ok)
    }
}
