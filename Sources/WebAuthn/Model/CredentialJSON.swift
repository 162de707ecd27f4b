import Crypto
import Essentials

/// What both kinds of a posted credential have. Source: Web Authentication Level 3 §5.1, `PublicKeyCredentialJSON`.
struct CredentialJSON {
    let id: [UInt8]
    let clientDataJSON: [UInt8]
    let response: JSONValue
    /// The members that are in base64 with + and / instead of base64url; whether that will do, the checklist says.
    let misspelt: [String]
    private let ceremony: Ceremony

    private static let binaries = [
        "id", "rawId", "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle",
    ]

    /// - Parameter value: the JSON that was posted.
    init(_ value: JSONValue, _ ceremony: Ceremony) throws(WebAuthnRefusal) {
        self.ceremony = ceremony
        try Self.checkSize(Self.characters(value) + Self.characters(value["response"] ?? .null), ceremony)
        guard let response = value["response"], response.object != nil else {
            throw Self.refusal(.response, ceremony, "an object “response”", "none")
        }
        guard value["type"]?.string == "public-key" else {
            let got = value["type"].map { $0.text.shortened } ?? "none"
            throw Self.refusal(.credentialType, ceremony, "\"type\": \"public-key\"", got)
        }
        let (text, raw) = (
            try Self.bytes(value, "id", ceremony), try Self.bytes(value, "rawId", ceremony)
        )
        guard let id = raw ?? text else {
            throw Self.refusal(.credentialID, ceremony, "“id” or “rawId”", "neither")
        }
        guard text == nil || text == id else {
            throw Self.refusal(.credentialID, ceremony, "“id” and “rawId” to be the same", "two ids")
        }
        (self.id, self.response) = (id, response)
        misspelt = Self.binaries.filter { name in
            let text = (value[name] ?? response[name])?.string ?? ""
            return text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        }
        clientDataJSON = try Self.required(response, "clientDataJSON", ceremony)
    }

    /// - Throws: when the member is missing or no base64url.
    func bytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8] {
        try Self.required(response, name, ceremony)
    }

    /// An empty text and null count as absent.
    func optionalBytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8]? {
        let bytes = try Self.bytes(response, name, ceremony)
        return bytes?.isEmpty == true ? nil : bytes
    }

    /// Parses what was posted.
    static func value(_ bytes: [UInt8], _ ceremony: Ceremony) throws(WebAuthnRefusal) -> JSONValue {
        try checkSize(bytes.count, ceremony)
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw refusal(.response, ceremony, "a credential in JSON", "\(error)".shortened)
        }
    }

    /// In the texts of an object, which are all that is large in a credential.
    private static func characters(_ value: JSONValue) -> Int {
        (value.object ?? [:]).values.reduce(0) { $0 + ($1.string?.utf8.count ?? 0) }
    }

    private static func checkSize(_ count: Int, _ ceremony: Ceremony) throws(WebAuthnRefusal) {
        guard count <= WebAuthnLimits.credentialJSON else {
            throw refusal(
                .response, ceremony, "at most \(WebAuthnLimits.credentialJSON) bytes", "\(count)")
        }
    }

    private static func required(
        _ value: JSONValue, _ name: String, _ ceremony: Ceremony
    ) throws(WebAuthnRefusal) -> [UInt8] {
        guard let bytes = try bytes(value, name, ceremony) else {
            throw refusal(.response, ceremony, "“\(name)” in “response”", "none")
        }
        return bytes
    }

    /// nil when there is no such member or it is null. Padding is accepted: test clients and some Android apps send it.
    private static func bytes(
        _ value: JSONValue, _ name: String, _ ceremony: Ceremony
    ) throws(WebAuthnRefusal) -> [UInt8]? {
        guard let member = value[name], !member.isNull else { return nil }
        let text = member.string.map { text in
            text.utf8.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }
        }
        guard let text,
            let bytes = Base64URL.decode(String(decoding: text, as: UTF8.self), allowingPadding: true)
        else {
            throw refusal(
                .response, ceremony, "“\(name)” in base64url",
                member.text.shortened)
        }
        return bytes
    }

    /// Step 3 of both ceremonies asks for the response of the right kind.
    private static func refusal(
        _ check: WebAuthnCheck, _ ceremony: Ceremony, _ expected: String, _ got: String
    ) -> WebAuthnRefusal {
        WebAuthnRefusal(check, "\(ceremony.section) step 3", expected: expected, got: got)
    }
}
