import DeviceKit
import Essentials
import HTTP
package import TestKit
import Testing

@testable package import PowerAuth
@testable import PowerAuthDevice

@Suite struct BodyReaderTests {
    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: PowerAuth.self)
    }
}

extension PowerAuth: SamplesBodies {
    package static let sampleParameters = ["application": "my-app", "user": "eva", "userId": "ada"]

    /// What a code covers, whatever it is, is read by nobody; nor is what asks for everything, or for what is not emulated.
    package static let routesWithoutBody: Set<String> = Set(
        [
            "POST /pa/v3/status", "POST /pa/v3/activation/remove", "POST /pa/v3/signature/validate",
            "PUT /pa/v3/signature/validate", "POST /pa/v3/upgrade/commit",
            "POST /pa/v4/activation/remove", "POST /pa/v4/biometry/remove", "POST /pa/v4/auth/validate",
            "PUT /pa/v4/auth/validate", "POST /pa/v4", "POST /pa/v4/*rest", "PUT /pa/v4/*rest",
            "POST /api/auth/token/app/operation/list", "POST /api/auth/token/app/operation/history",
            "POST /api/inbox/count", "POST /api/inbox/message/read-all",
        ].map { $0.replacing(" /", with: " /enrollment-server/") })

    package static func sampleBodies(for route: BodyRoute) -> SampleBodies {
        switch route.pattern.dropFirst("/enrollment-server".count) {
        case "/pa/v3/activation/status": SampleBodies(json: [#"{"requestObject":{"activationId":"x"}}"#])
        case "/pa/v3/keystore/create", "/pa/v4/keystore/create":
            SampleBodies(json: [#"{"requestObject":{"jwt":"x"}}"#])
        case "/pa/v3/token/remove", "/pa/v4/token/remove":
            SampleBodies(json: [#"{"requestObject":{"tokenId":"x"}}"#])
        case "/pa/v3/activation/rename": SampleBodies(json: [#"{"activationName":"x"}"#])
        default: SampleBodies()
        }
    }

    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<PowerAuth> {
        if route.pattern.hasPrefix("/enrollment-server/") {
            let mobile = try MobileBench()
            let path = String(route.pattern.dropFirst("/enrollment-server".count))
            let send = try path.hasPrefix("/pa/v4/") ? call4(path, mobile) : call3(path, mobile)
            return SampleCaller(mobile.bench) { request in
                try withExtendedLifetime(mobile) { try send(request.body) }
            }
        }
        let accounts = ["/powerauth-cloud/": "admin", "/user-data-store/": "back-office"]
        let name = accounts.first { route.pattern.hasPrefix($0.key) }?.value
        return SampleCaller(
            try TestBench<PowerAuth>.withCast(),
            headers: name.map { .basic(ofCast: $0, $0 + "-secret") } ?? [:])
    }

    // MARK: Phones

    /// Calls whose body is covered by a code, by the name of what is called.
    private static let signed = [
        "/pa/v3/activation/remove": "/pa/activation/remove", "/pa/v3/token/create": "/pa/token/create",
        "/pa/v3/token/remove": "/pa/token/remove", "/pa/v3/vault/unlock": "/pa/vault/unlock",
        "/pa/v3/recovery/confirm": "/pa/recovery/confirm", "/pa/v3/upgrade/commit": "/pa/upgrade/commit",
        "/pa/v3/signature/validate": "/pa/signature/validate",
        "/api/auth/token/app/operation/history": "/operation/history",
        "/api/auth/token/app/operation/authorize": "/operation/authorize",
        "/api/auth/token/app/operation/cancel": "/operation/cancel",
        "/pa/v4/activation/confirm": "/pa/activation/confirm",
        "/pa/v4/activation/remove": "/pa/activation/remove",
        "/pa/v4/token/create": "/pa/token/create", "/pa/v4/token/remove": "/pa/token/remove",
        "/pa/v4/vault/unlock": "/pa/vault/unlock", "/pa/v4/password/change": "/pa/password/change",
        "/pa/v4/biometry/add": "/pa/biometry/add", "/pa/v4/biometry/remove": "/pa/biometry/remove",
        "/pa/v4/auth/validate": "/pa/auth/validate", "/pa/v4/activation/rename": "/pa/activation/rename",
    ]

    /// Calls that take no second factor.
    private static let possessionAlone: Set = ["/pa/v3/upgrade/commit", "/pa/v4/biometry/remove"]

    /// Calls that a phone encrypts.
    private static let encrypted: [String: (Purpose, Device.Signing)] = [
        "/pa/v3/activation/create": (.application, .none), "/pa/v3/user/info": (.activation, .none),
        "/api/config/oidc": (.application, .none),
        "/pa/v3/activation/rename": (
            .activation, .plaintext(uriID: "/pa/activation/rename", .pin(MobileBench.pin))
        ),
        "/api/activation/code": (
            .activation, .plaintext(uriID: "/api/activation/code", .pin(MobileBench.pin))
        ),
    ]

    private static func call3(_ path: String, _ mobile: MobileBench) throws -> ([UInt8]) throws -> Void {
        if ["/pa/v3/status", "/pa/v3/keystore/create", "/pa/v3/activation/status"].contains(path) {
            return { _ = mobile.send(DeviceRequest(path, body: $0)) }
        }
        let phone = try mobile.activePhone()
        if let (purpose, signing) = encrypted[path] {
            return { _ = try phone.encryptedCall(path, $0, purpose, signing: signing) }
        }
        if let uriID = signed[path] {
            let credential = possessionAlone.contains(path) ? Credential.possession : .pin(MobileBench.pin)
            return { _ = try phone.signedRequest(path, body: $0, uriID: uriID, with: credential) }
        }
        try phone.createToken("two factors", with: .pin(MobileBench.pin))
        return { body in
            var headers = [("X-PowerAuth-Token", try phone.tokenHeader("two factors"))]
            if path.hasPrefix("/pa/v3/") {
                headers.append(("X-PowerAuth-Encryption", try phone.encryptionHeader(.activation)))
            }
            _ = try phone.send(DeviceRequest(path, headers: headers, body: body))
        }
    }

    private static func call4(_ path: String, _ mobile: MobileBench) throws -> ([UInt8]) throws -> Void {
        let phone = try mobile.activePhone4()
        return { body in
            let scope = path == "/pa/v4/activation/create" ? Scope.application : .activation
            var headers = [("X-PowerAuth-Encryption", try phone.encryptionHeader(scope))]
            if let uriID = signed[path] {
                let credential =
                    possessionAlone.contains(path) ? Credential.possession : .pin(MobileBench.pin)
                headers.append(
                    (
                        "X-PowerAuth-Authorization",
                        try phone.authorization(uriID: uriID, body: body, with: credential)
                    ))
            }
            _ = try phone.send(DeviceRequest(path, headers: headers, body: body))
        }
    }
}
