import Crypto
import Essentials
import WebAuthn

/// A WebAuthn answer, as a browser's `toJSON()` gives it. Source: Web Authentication Level 3 §5.1.8.
struct PasskeyAnswer {
    let json: SpelledJSON
    let ceremony: PasskeyOrder.Ceremony
    let id: String
    let client: ClientData
    let response: SpelledJSON
    /// How the client spells the name of the client data.
    let clientDataName: String
    let transports: [String]?

    /// As the standard has it, and as Hanko's sample for Android does.
    private static let clientDataNames = ["clientDataJSON", "clientDataJson"]

    init?(_ json: SpelledJSON) {
        guard let id = json["id"]?.string, let response = json["response"],
            let name = Self.clientDataNames.first(where: { response[$0]?.string != nil }),
            let bytes = Self.bytes(response[name]), let client = try? ClientData(bytes),
            let ceremony = Self.ceremony(response, client)
        else { return nil }
        (self.json, self.id, self.client, self.response) = (json, id, client, response)
        self.ceremony = ceremony
        clientDataName = name
        transports = (response["transports"] ?? json["transports"])?.array?.compactMap(\.string)
    }

    /// By its members, because the type may be a lie.
    private static func ceremony(_ response: SpelledJSON, _ client: ClientData) -> PasskeyOrder.Ceremony? {
        if response["attestationObject"] != nil { return .create }
        if response["signature"] != nil { return .get }
        return PasskeyOrder.Ceremony.allCases.first { $0.clientDataType == client.type }
    }

    static func bytes(_ json: SpelledJSON?) -> [UInt8]? {
        json?.string.flatMap { Base64URL.decode($0, allowingPadding: true) }
    }

    // What cannot be read tells nothing of the authenticator.

    var attestation: AttestationObject? {
        Self.bytes(response["attestationObject"]).flatMap { try? AttestationObject($0) }
    }

    var data: AuthenticatorData? {
        let bytes =
            ceremony == .create ? attestation?.authenticatorData : Self.bytes(response["authenticatorData"])
        return bytes.flatMap { try? AuthenticatorData($0) }
    }
}

extension PasskeyOrder.Ceremony: CaseIterable {
    package static let allCases: [Self] = [.create, .get]

    /// Source: Web Authentication Level 3 §5.8.1.
    var clientDataType: String { "webauthn." + rawValue }
}
