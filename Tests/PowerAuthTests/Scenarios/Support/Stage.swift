import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuth
import PowerAuthDevice
import TestKit
import Testing

/// A world with one application, a back end that may call for it, and phones. The phones speak the protocol by an implementation of
/// their own, so that a mistake of the server is not shared by its test.
final class Stage {
    static let applicationID = "my-app"
    static let pin = "1234"

    let bench: TestBench<PowerAuth>
    private var phones: UInt8 = 0

    /// - Parameter settings: members of the section `settings`.
    init(settings: JSONValue = [:]) throws {
        let own: [String: JSONValue] = [
            "settings": settings, "applications": [Self.application, Self.otherApplication],
            // Eva has claims, nobody else.
            "mobile": ["user_claims": ["eva": ["name": "Eva Nováková", "email_verified": true]]],
            "users": [
                [
                    "username": "back-end", "password": "secret", "roles": ["ROLE_USER", "ROLE_ADMIN"],
                    "applications": [.string(Self.applicationID), "other-app"],
                ]
            ],
        ]
        let fixtures: JSONValue = ["powerauth": .object(own.merging(Self.templates) { $1 })]
        bench = try TestBench(PowerAuth.self, fixtures: fixtures.text)
    }

    private static let application: JSONValue = [
        "id": .string(applicationID), "roles": ["ROLE_RETAIL", "ROLE_LOGIN"],
        "master_key": JSONValue(TestKeys.ec.split(separator: "\n").map(String.init)),
        "offers_recovery": true,
        "versions": [
            [
                "name": "default", "app_key": "XbreUNRLv3Z4BJ4aeH1JTg==",
                "app_secret": "XWAK9bqRjFKzWITWDvoNdg==",
            ],
            [
                "name": "old", "app_key": "AAAAUNRLv3Z4BJ4aeH1JTg==",
                "app_secret": "AAAA9bqRjFKzWITWDvoNdg==", "is_supported": false,
            ],
        ],
        "oauth2_providers": [
            provider("plain", isPKCE: false), provider("pkce", isPKCE: true),
        ],
    ]

    /// Has the same master key: only its own key tells them apart.
    private static let otherApplication: JSONValue = [
        "id": "other-app", "roles": [],
        "master_key": JSONValue(TestKeys.ec.split(separator: "\n").map(String.init)),
        "versions": [
            [
                "name": "default", "app_key": "BBBBUNRLv3Z4BJ4aeH1JTg==",
                "app_secret": "BBBB9bqRjFKzWITWDvoNdg==",
            ]
        ],
    ]

    private static func provider(_ id: String, isPKCE: Bool) -> JSONValue {
        [
            "providerId": .string(id), "clientId": "client", "clientSecret": "secret",
            "issuerUri": "https://issuer.example", "authorizeUri": "https://issuer.example/authorize",
            "tokenUri": "https://issuer.example/token", "jwkSetUri": "https://issuer.example/jwks",
            "redirectUri": "com.example.app:/oidc", "scopes": "openid", "pkceEnabled": .boolean(isPKCE),
            "fakeUser": "eva",
        ]
    }
}

extension Stage {
    /// A call of the back end.
    func cloud(_ method: Request.Method, _ path: String, _ body: JSONValue? = nil) -> Response {
        bench.send(
            method, "/powerauth-cloud" + path, body: body?.bytes ?? [],
            headers: [
                "Content-Type": "application/json",
                "Authorization": "Basic " + Base64.encode(Array("back-end:secret".utf8)),
            ])
    }

    /// A call of the back end that succeeds, and its answer.
    @discardableResult
    func backEnd(
        _ method: Request.Method, _ path: String, _ body: JSONValue? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let response = cloud(method, path, body)
        #expect(response.status.code == 200, "\(path): \(response.text)", sourceLocation: sourceLocation)
        return try JSONValue(parsing: response.bytes)
    }

    /// - Returns: what the back end hears: `registrationId`, `activationQrCodeData`, …
    func startRegistration(_ user: String, _ more: [String: JSONValue] = [:]) throws -> JSONValue {
        let members: [String: JSONValue] = ["userId": .string(user), "appId": .string(Self.applicationID)]
        return try backEnd(.post, "/v2/registrations", .object(members.merging(more) { $1 }))
    }

    func registration(_ id: String) throws -> JSONValue { try backEnd(.get, "/v2/registrations/\(id)") }

    func commit(_ device: Device) throws {
        let id = try #require(device.activation).id
        try backEnd(.post, "/v2/registrations/\(id)/commit", ["externalUserId": "clerk"])
    }

    func change(_ device: Device, _ change: String) throws {
        let id = try #require(device.activation).id
        try backEnd(.put, "/v2/registrations/\(id)", ["change": .string(change)])
    }

    var milliseconds: Int { Int((bench.clock.now.timeIntervalSince1970 * 1000).rounded()) }

    /// A phone with the app that is not active.
    ///
    /// - Parameter configuration: what the app was built with; nil for that of `application`.
    func makePhone(
        _ version: Device.Version = .v33, style: DeviceStyle = .ios, application: String = applicationID,
        configuration: MobileConfiguration? = nil
    ) throws -> Device {
        let answer = try backEnd(.get, "/admin/applications/\(application)")
        phones += 1
        let chance = PhoneChance(phones)
        return Device(
            try configuration ?? MobileConfiguration(parsing: #require(answer["mobileSdkConfig"]?.string)),
            version: version, style: style, clock: { [self] in milliseconds }, random: chance.draw
        ) { [self] in carry($0) }
    }

    /// A phone that a person has activated and a clerk has committed.
    func makeActivePhone(
        _ version: Device.Version = .v33, style: DeviceStyle = .ios, user: String = "eva",
        flags: [String] = []
    ) throws -> Device {
        let phone = try makePhone(version, style: style)
        let code = try startRegistration(user, ["flags": JSONValue(flags)])
        try activate(phone, code)
        try commit(phone)
        return phone
    }

    @discardableResult
    func activate(
        _ phone: Device, _ registration: JSONValue, otp: String? = nil
    ) throws -> ActivationResult {
        let code = try ActivationCode(parsing: #require(registration["activationQrCodeData"]?.string))
        #expect(code.isSigned(by: phone.configuration.masterKey))
        let request = ActivationRequest(
            .code(code.text), name: "Eva's phone", otp: otp, deviceInfo: "Pixel 8")
        return try phone.activate(request, pin: Self.pin)
    }

    private func carry(_ request: DeviceRequest) -> DeviceResponse {
        var headers = Headers()
        for (name, value) in request.headers { headers.add(name, value) }
        let response = bench.send(
            Request(
                Request.Method(rawValue: request.method), "/enrollment-server" + request.path,
                query: request.query, headers: headers, body: request.body))
        return DeviceResponse(
            status: response.status.code, headers: response.headers.fields.map { ($0.name, $0.value) },
            body: response.bytes)
    }
}
