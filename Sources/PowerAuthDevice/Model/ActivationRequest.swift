package import Essentials

/// What the app sends to become active.
package struct ActivationRequest: Sendable, Equatable {
    /// How the server knows whose activation it will be.
    package enum Identity: Sendable, Equatable {
        /// A code that was made for a person: four groups of five signs.
        case code(String)
        /// Texts that the server's own logic understands.
        case custom([String: String])
        /// An authorization code of an OpenID provider.
        case openID(provider: String, code: String, nonce: String, verifier: String? = nil)
        case recovery(code: String, puk: String)
    }

    package var identity: Identity
    package var name: String?
    package var extras: String?
    /// The second secret that some registrations ask for.
    package var otp: String?
    /// `ios` or `android`; that of the style when nil.
    package var platform: String?
    package var deviceInfo: String?
    package var customAttributes: JSONValue?

    package init(
        _ identity: Identity, name: String? = nil, extras: String? = nil, otp: String? = nil,
        platform: String? = nil, deviceInfo: String? = nil, customAttributes: JSONValue? = nil
    ) {
        self.identity = identity
        self.name = name
        self.extras = extras
        self.otp = otp
        self.platform = platform
        self.deviceInfo = deviceInfo
        self.customAttributes = customAttributes
    }

    var type: String {
        switch identity {
        case .code: "CODE"
        case .custom: "CUSTOM"
        case .openID: "DIRECT"
        case .recovery: "RECOVERY"
        }
    }

    var identityAttributes: JSONValue {
        switch identity {
        case .code(let code): ["code": .string(code)]
        case .custom(let attributes): .object(attributes.mapValues(JSONValue.string))
        case .openID(let provider, let code, let nonce, let verifier):
            .object(
                [
                    "method": "oidc", "providerId": .string(provider), "code": .string(code),
                    "nonce": .string(nonce),
                ].merging(verifier.map { ["codeVerifier": .string($0)] } ?? [:]) { $1 })
        case .recovery(let code, let puk): ["recoveryCode": .string(code), "puk": .string(puk)]
        }
    }

    /// What goes with the keys of the device.
    func keyExchange(_ style: DeviceStyle) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["platform": .string(platform ?? style.platform.rawValue)]
        members["activationName"] = name.map(JSONValue.string)
        members["extras"] = extras.map(JSONValue.string)
        members["activationOtp"] = otp.map(JSONValue.string)
        members["deviceInfo"] = deviceInfo.map(JSONValue.string)
        return members
    }
}
