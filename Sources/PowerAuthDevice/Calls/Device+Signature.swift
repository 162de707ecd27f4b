import Crypto
package import DeviceKit
package import Essentials

extension Device {
    /// The value of `X-PowerAuth-Authorization` for a request; steps the counter.
    ///
    /// - Parameters:
    ///   - uriID: the agreed name of the resource, which is not its path.
    ///   - body: the bytes as they are sent; for GET the query as it is signed, see ``canonicalQuery(_:)``.
    package func authorization(
        _ method: String = "POST", uriID: String, body: [UInt8], with credential: Credential
    ) throws -> String {
        let activation = try requireActivation()
        let nonce = Base64.encode(draw(16))
        let data = AuthenticationCode.data(
            method, faults.uriID ?? uriID, nonce: nonce, body: body, secret: configuration.applicationSecret)
        let components = try components(of: data, with: credential)
        let code =
            version == .v30
            ? AuthenticationCode.decimal(components) : AuthenticationCode.base64(components)
        return style.header([
            ("pa_version", faults.version ?? version.rawValue), ("pa_activation_id", activation.id),
            ("pa_application_key", configuration.applicationKey), ("pa_nonce", nonce),
            ("pa_signature_type", credential.factors), ("pa_signature", code),
        ])
    }

    /// A request of the app to any back end, signed; the answer is not looked at.
    package func signedRequest(
        method: String = "POST", _ path: String, query: String? = nil, body: [UInt8] = [], uriID: String,
        with credential: Credential
    ) throws -> DeviceResponse {
        let signed = method == "GET" ? Self.canonicalQuery(query ?? "") : body
        let header = try authorization(method, uriID: uriID, body: signed, with: credential)
        return try send(
            DeviceRequest(
                method: method, path, query: query, headers: [("X-PowerAuth-Authorization", header)],
                body: body))
    }

    /// A signed request with a body like that of ``call(_:_:headers:)``.
    @discardableResult
    package func signedCall(
        _ path: String, _ object: JSONValue? = nil, uriID: String, with credential: Credential
    ) throws -> JSONValue {
        try Self.envelope(
            signedRequest(
                path, body: style.json(Self.wrapped(object)), uriID: uriID, with: credential))
    }

    /// `/pa/v3/signature/validate`: asks whether the code is right, and does nothing else.
    package func validate(_ method: String = "POST", reason: String = "TEST", with credential: Credential)
        throws
    {
        let body = method == "GET" ? [] : style.json(Self.wrapped(["reason": .string(reason)]))
        let response = try signedRequest(
            method: method, "/pa/v3/signature/validate", query: method == "GET" ? "reason=\(reason)" : nil,
            body: body, uriID: "/pa/signature/validate", with: credential)
        _ = try Self.envelope(response)
    }

    /// The query of a GET as both sides sign it.
    package static func canonicalQuery(_ query: String) -> [UInt8] { CanonicalQuery.bytes(query) }

    /// The parts of a code, one for each factor; steps the counter.
    func components(of data: [UInt8], with credential: Credential) throws -> [[UInt8]] {
        var activation = try requireActivation()
        var components = AuthenticationCode.components(
            try factorKeys(credential), counter: activation.counter.data, data: data)
        if faults.breaksSignature, let last = components.indices.last { components[last][31] ^= 1 }
        activation.counter.step()
        self.activation = activation
        return components
    }

    private func factorKeys(_ credential: Credential) throws -> [[UInt8]] {
        let activation = try requireActivation()
        var keys = credential.usesPossession ? [activation.possessionKey] : []
        if let pin = credential.pin { keys.append(try activation.knowledgeKey.key(pin: pin)) }
        if credential.usesBiometry {
            guard let key = activation.biometryKey else { throw DeviceError("biometry is not set up") }
            keys.append(key)
        }
        return keys
    }
}
