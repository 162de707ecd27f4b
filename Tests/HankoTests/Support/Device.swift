import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// A client with an authenticator in software, at an origin that Hanko's own defaults expect.
struct Device {
    var authenticator: SoftwareAuthenticator

    init(origin: String = "http://localhost:8888", _ change: (inout SoftwareBehaviour) -> Void = { _ in }) {
        var behaviour = SoftwareBehaviour(origin: origin)
        change(&behaviour)
        let entropy = Entropy.seeded(1)
        authenticator = SoftwareAuthenticator(
            behaviour, entropy: .init(bytes: { entropy.bytes($0, "device") }))
    }
}

/// A bad habit of a client or an authenticator.
struct Habit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout SoftwareBehaviour) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout SoftwareBehaviour) -> Void) {
        (testDescription, self.change) = (name, change)
    }
}

extension Essentials.JSONValue {
    /// The value with the member at `path` changed; nil takes it away.
    func changing(_ path: String..., to value: Essentials.JSONValue?) -> Essentials.JSONValue {
        changed(path[...], value)
    }

    private func changed(_ path: ArraySlice<String>, _ value: Essentials.JSONValue?) -> Essentials.JSONValue {
        guard let name = path.first, var members = object else { return self }
        let rest = path.dropFirst()
        members[name] = rest.isEmpty ? value : (members[name] ?? .object([:])).changed(rest, value)
        return .object(members)
    }
}

extension TestBench where P == Hanko {
    /// Signs Ada in, who may then make passkeys.
    func signedIn(_ userID: String = Ada.id) throws -> Headers { .bearer(try signIn(userID)) }

    func creationOptions(_ session: Headers) throws -> [UInt8] {
        let response = send(.post, "/hanko/webauthn/registration/initialize", headers: session)
        #expect(response.status == .ok, "\(response.text)")
        return response.bytes
    }

    func requestOptions(for userID: String? = nil) throws -> [UInt8] {
        let response =
            try userID.map { try post("/hanko/webauthn/login/initialize", ["user_id": $0]) }
            ?? send(.post, "/hanko/webauthn/login/initialize")
        #expect(response.status == .ok, "\(response.text)")
        return response.bytes
    }

    /// What a device made of fresh options, after a change.
    func finishRegistration(
        _ device: inout Device, _ session: Headers,
        _ change: (Essentials.JSONValue) throws -> Essentials.JSONValue = { $0 }
    ) throws -> Response {
        let credential = try device.authenticator.create(creationOptions(session))
        let changed = try change(Essentials.JSONValue(parsing: credential))
        return post(
            "/hanko/webauthn/registration/finalize", raw: changed.text, headers: session)
    }

    func finishLogin(
        _ device: inout Device, for userID: String? = nil,
        _ change: (Essentials.JSONValue) throws -> Essentials.JSONValue = { $0 }
    ) throws -> Response {
        let credential = try device.authenticator.get(requestOptions(for: userID))
        let changed = try change(Essentials.JSONValue(parsing: credential))
        return post("/hanko/webauthn/login/finalize", raw: changed.text)
    }

    /// A bench on which Ada has a passkey on `device`.
    static func withPasskey(
        _ device: inout Device, config: String = "", section: String = ""
    ) throws -> TestBench<Hanko> {
        let bench = try TestBench.mobile(config: config, section: section)
        let response = try bench.finishRegistration(&device, try bench.signedIn())
        #expect(response.status == .ok, "\(response.text)")
        return bench
    }
}
