import Essentials
import HTTP

/// What of a request a device signed or encrypted with a key that the recording does not have: what is not made again cannot be compared.
enum DeviceProof {
    static let webAuthn = "a WebAuthn answer"
    static let dpop = "a DPoP proof"
    private static let mPinSignature = "an M-Pin signature"

    /// What it is, for a sentence; nil where there is none.
    ///
    /// - Parameter made: what was made again.
    static func words(of request: RecordedRequest, _ place: Bases.Place, besides made: Set<String>) -> String?
    {
        // A preflight proves nothing.
        if request.method == "OPTIONS" { return nil }
        return all(of: request, place).first { !made.contains($0) }
    }

    private static func all(of request: RecordedRequest, _ place: Bases.Place) -> [String] {
        var words = fields.compactMap { request.headers[$0.0].map(mayBeMade) ?? false ? $0.1 : nil }
        if request.headers.mediaType.contains("pgp")
            || request.body.starts(with: "-----BEGIN PGP MESSAGE".utf8)
        {
            words.append("an OpenPGP message")
        }
        words += paths.filter { place.mount == $0.mount && place.path.contains($0.part) }.map(\.words)
        let content = request.content
        if content.fields["client_assertion"] != nil { words.append("a JWT that the client signed") }
        for field in content.fields.pairs {
            guard let json = SpelledJSON(Array(field.value.utf8)) else { continue }
            if MPinMessage.isSignature(json) { words.append(mPinSignature) }
        }
        guard let json = content.json else { return words }
        if place.mount == "nextauth", json["signature"]?.string != nil {
            words.append("a signature of a nextAuth account")
        }
        return words + [Self.words(of: json, depth: 0)].compactMap(\.self)
    }

    private static let fields = [
        ("X-PowerAuth-Authorization", "a PowerAuth authentication code"),
        ("X-PowerAuth-Token", "a digest of a PowerAuth token"),
        ("X-PowerAuth-Encryption", "end-to-end encryption of PowerAuth"),
        ("DPoP", dpop),
    ]

    /// Whether parameters stand in a field: what has none was made by no key, and is refused as it is.
    private static func mayBeMade(_ field: String) -> Bool {
        !field.hasPrefix("PowerAuth ") || field.contains("=")
    }

    private static let paths: [(mount: String, part: String, words: String)] = [
        ("powerauth-java-server", "/signature/verify", "a PowerAuth authentication code"),
        ("powerauth-java-server", "/auth/verify", "a PowerAuth authentication code"),
        ("powerauth-java-server", "/offline/verify", "an offline code of PowerAuth"),
        ("powerauth-cloud", "/offline/otp", "an offline code of PowerAuth"),
        ("powerauth-java-server", "/ecdsa/verify", "a signature with a phone's own key"),
        ("powerauth-java-server", "/dsa/verify", "a signature with a phone's own key"),
        ("powerauth-java-server", "/token/validate", "a digest of a PowerAuth token"),
        ("miracl", "/pass1", "an M-Pin proof"), ("miracl", "/pass2", "an M-Pin proof"),
        ("oauth", "/answer", "an answer of mobile authentication"),
        ("miracl", "/authenticate", "an M-Pin proof"), ("miracl", "/dvs/register", "a key of a device"),
    ]

    /// Members that only a device's key makes, by their names.
    private static let members = [
        "clientDataJSON": webAuthn, "authenticatorData": webAuthn, "attestationObject": webAuthn,
        "encryptedData": "end-to-end encryption",
        "ephemeralPublicKey": "end-to-end encryption",
        "ocra_response": "an answer that is computed from the app's signature",
        "authHeader": "a field that a phone with PowerAuth made",
        "client_assertion": "a JWT that the client signed",
    ]

    private static func words(of json: SpelledJSON, depth: Int) -> String? {
        guard depth < 6 else { return nil }
        switch json {
        case .object(let list):
            if MPinMessage.isSignature(json) { return mPinSignature }
            for member in list {
                if let words = members[member.name], let text = member.value.string, !text.isEmpty,
                    mayBeMade(text)
                {
                    return words
                }
                if let words = words(of: member.value, depth: depth + 1) { return words }
            }
            return nil
        case .array(let elements): return elements.lazy.compactMap { words(of: $0, depth: depth + 1) }.first
        default: return nil
        }
    }
}
