import Crypto
package import DeviceKit
package import Essentials
import HTTP

extension OneginiDevice {
    /// Registers the device: a challenge, its response by the application's signature, and credentials of its own.
    ///
    /// - Parameter name: of the device.
    package mutating func register(name: String? = nil, using services: DeviceServices) throws {
        let asked = try call(
            "POST", "/clients/challenge",
            [
                "app_identifier": .string(configuration.application),
                "app_platform": .string(configuration.platform),
                "app_version": .string(configuration.version),
                "os_version": .string(configuration.osVersion),
            ], as: .nobody, using: services)
        guard asked["ocra_suite"]?.string == DeviceSecrets.suite else {
            throw DeviceError("the server wants another suite: \(asked.text)")
        }
        let seconds = services.now.unixSeconds + faults.minutesOff * 60
        var answer: [String: JSONValue] = [
            "identifier": .string(try asked.text("identifier")),
            "ocra_response": .string(
                try DeviceSecrets.response(
                    signature: faults.signature ?? configuration.signature,
                    challenge: asked.text("challenge"), seconds: seconds)),
        ]
        answer["device_name"] = name.map(JSONValue.string)
        let made = try call("POST", "/clients", .object(answer), as: .nobody, using: services)
        guard let redirectURI = made["redirect_uris"]?.strings?.first else {
            throw DeviceError("the server gave no redirect URI")
        }
        client = Client(
            id: try made.text("client_id"), secret: try made.text("client_secret"), redirectURI: redirectURI)
    }

    /// What an app asks each time it starts; profiles that are gone at the server are forgotten.
    ///
    /// - Returns: `config`.
    package mutating func validate(using services: DeviceServices) throws -> JSONValue {
        let told = try call(
            "POST", "/clients/validate",
            [
                "app_version": .string(configuration.version),
                "app_platform": .string(configuration.platform),
                "os_version": .string(configuration.osVersion),
            ], as: .device, using: services)
        for profile in told["removed_profiles"]?.strings ?? [] { forget(profile) }
        return try told.member("config")
    }

    /// Begins the registration of a user in a browser.
    ///
    /// - Returns: path and query of the page below the server's address.
    package mutating func startLogin(
        scope: String = "openid profile", using services: DeviceServices
    ) throws -> String {
        let client = try requireClient()
        let begun = Login(
            state: Base64URL.encode(services.draw(16)), verifier: Base64URL.encode(services.draw(32)))
        login = begun
        let challenge = Base64URL.encode(Digest.sha256(Array(begun.verifier.utf8)))
        return "/v1/authorize?"
            + Form.encode([
                ("client_id", client.id), ("redirect_uri", client.redirectURI), ("response_type", "code"),
                ("scope", scope), ("state", begun.state), ("code_challenge", challenge),
                ("code_challenge_method", "S256"),
            ])
    }

    /// Ends it with the address to which the browser was sent, and chooses the PIN.
    ///
    /// - Throws: ``SDKRefusal`` for an error in the address, or for a state that is another one's.
    package mutating func finishLogin(
        redirect: String, pin: String, using services: DeviceServices
    ) throws {
        let client = try requireClient()
        let query = Form(
            redirect.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? "")
        guard let login, query["state"] == login.state, redirect.hasPrefix(client.redirectURI) else {
            throw SDKRefusal(local: Self.sdkError(10002))
        }
        self.login = nil
        guard let code = query["code"] else {
            throw SDKRefusal(local: .init(query["error"] ?? "no code"))
        }
        let tokens = try form(
            "/v1/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", client.redirectURI),
                ("code_verifier", login.verifier),
            ], using: services)
        try keep(tokens, pin: pin)
    }

    /// Registers a user by a provider without a browser, and chooses the PIN.
    ///
    /// - Parameter data: what the provider asks.
    package mutating func register(
        provider: String, data: JSONValue, pin: String, using services: DeviceServices
    ) throws {
        let request = DeviceRequest(
            "/custom-registration/\(provider.percentEncoded)/complete",
            headers: try authorization(.device) + [("Content-Type", "application/json")],
            body: JSONValue.object(["data": data]).bytes)
        let told = try send(request, using: services)
        guard let tokens = told["oauth_token"], !tokens.isNull else {
            throw SDKRefusal(
                Self.sdkError(10022), DeviceResponse(status: 200, body: told.bytes),
                code: told["status"]?.integer.map(String.init))
        }
        try keep(tokens, pin: pin)
    }

    /// Hides the refresh token under the PIN.
    mutating func keep(_ tokens: JSONValue, pin: String, of profile: String? = nil) throws {
        let id = try profile ?? tokens.text("profile_id")
        guard let refresh = Hex.decode(try tokens.text("refresh_token")) else {
            throw DeviceError("the refresh token is not hexadecimal")
        }
        let masked = try DeviceSecrets.masked(
            refresh, pin: pin, clientID: requireClient().id, profileID: id)
        if profiles.contains(where: { $0.id == id }) {
            change(id) { $0.masked = masked }
        } else {
            profiles.append(Profile(id: id, masked: masked))
        }
        session = Session(profile: id, accessToken: try tokens.text("access_token"))
    }
}
