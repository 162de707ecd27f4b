import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

struct CredentialTests {
    private let path = "/hanko/webauthn/credentials"

    @Test func `without credentials the list is empty`() throws {
        let bench = try TestBench.mobile()

        let response = bench.get(path, headers: try bench.signedIn())
        #expect(response.status == .ok)
        #expect(response.text == "[]\n")
    }

    @Test func `a credential is renamed with 200 and no body, and without a name stays as it is`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let session = try bench.signedIn()
        let id = Base64URL.encode(try #require(device.authenticator.credentials.last).id)
        func name() throws -> Essentials.JSONValue? {
            try Essentials.JSONValue(parsing: bench.get(path, headers: session).bytes).array?.first?["name"]
        }

        // Nobody made this authenticator.
        #expect(try name() == nil)
        let response = try bench.patch("\(path)/\(id)", ["Name": "My phone"], headers: session)
        #expect(response.status == .ok)
        #expect(response.bytes.isEmpty)
        #expect(try name() == "My phone")
        #expect(bench.send(.patch, "\(path)/\(id)", headers: session).status == .ok)
        #expect(try name() == "My phone")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a credential is removed with 204`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let session = try bench.signedIn()
        let id = Base64URL.encode(try #require(device.authenticator.credentials.last).id)

        let response = bench.delete("\(path)/\(id)", headers: session)
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        #expect(bench.get(path, headers: session).text == "[]\n")
        #expect(bench.delete("\(path)/\(id)", headers: session).status == .notFound)
    }

    @Test func `a credential of another user is not found`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let grace = try bench.signedIn(Grace.id)
        let id = Base64URL.encode(try #require(device.authenticator.credentials.last).id)

        for method in [Request.Method.patch, .delete] {
            let response = bench.send(method, "\(path)/\(id)", headers: grace)
            #expect(response.status == .notFound)
            #expect(response.text == refusal(404, "Not Found"))
            #expect(bench.explanation?.contains(id) == true)
        }
        #expect(bench.get(path, headers: grace).text == "[]\n")
    }

    @Test(arguments: [Request.Method.get, .patch, .delete])
    func `credentials need a session`(method: Request.Method) throws {
        let bench = try TestBench.mobile()

        let response = bench.send(method, method == .get ? path : "\(path)/AQID")
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "Unauthorized"))
    }

    @Test func `a passkey goes on working in a world that was exported`() throws {
        var device = Device { $0.counter = .increasing }
        let bench = try TestBench.withPasskey(&device)
        #expect(try bench.finishLogin(&device).status == .ok)

        let exported = try bench.worlds.export(bench.world)
        let copy = try TestBench<Hanko>(
            Hanko.self, fixtures: String(decoding: exported, as: UTF8.self), seed: 2)
        #expect(try copy.finishLogin(&device).status == .ok, "\(copy.explanation ?? "")")
        device.authenticator.behaviour.counter = .backwards
        #expect(try copy.finishLogin(&device).status == .badRequest)
    }
}
