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
        let spoken = faults.version ?? spokenVersion
        let names =
            spoken == Protocol4.version
            ? (type: "pa_auth_code_type", code: "pa_auth_code")
            : (type: "pa_signature_type", code: "pa_signature")
        return header([
            ("pa_version", spoken), ("pa_activation_id", activation.id),
            ("pa_application_key", configuration.applicationKey), ("pa_nonce", nonce),
            (names.type, credential.factors), (names.code, online(components)),
        ])
    }

    /// Components as they are sent.
    private func online(_ components: [[UInt8]]) -> String {
        if isOfFourth { return Base64.encode(Array(components.joined())) }
        return version == .v30
            ? AuthenticationCode.decimal(components) : AuthenticationCode.base64(components)
    }

    /// The value of a header of PowerAuth. The SDKs 2.x share the code that writes it.
    func header(_ members: [(String, String)], isEncryption: Bool = false) -> String {
        (isOfFourth ? DeviceStyle.ios : style).header(members, isEncryption: isEncryption)
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
        let body = object == nil && isOfFourth ? [] : style.json(Self.wrapped(object))
        return try Self.envelope(signedRequest(path, body: body, uriID: uriID, with: credential))
    }

    /// `signature/validate`, in protocol 4.0 `auth/validate`: asks whether the code is right, and does nothing else.
    package func validate(_ method: String = "POST", reason: String = "TEST", with credential: Credential)
        throws
    {
        let body = method == "GET" ? [] : style.json(Self.wrapped(["reason": .string(reason)]))
        let name = isOfFourth ? "auth/validate" : "signature/validate"
        let response = try signedRequest(
            method: method, root + name, query: method == "GET" ? "reason=\(reason)" : nil,
            body: body, uriID: "/pa/" + name, with: credential)
        _ = try Self.envelope(response)
    }

    /// The query of a GET as both sides sign it.
    package static func canonicalQuery(_ query: String) -> [UInt8] { CanonicalQuery.bytes(query) }

    /// The parts of a code, one for each factor; steps the counter.
    func components(of data: [UInt8], with credential: Credential) throws -> [[UInt8]] {
        var activation = try requireActivation()
        let keys = try factorKeys(credential)
        var components =
            activation.fourth == nil
            ? AuthenticationCode.components(keys, counter: activation.counter.data, data: data)
            : try Protocol4.components(keys, counter: activation.counter.data, data: data)
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
