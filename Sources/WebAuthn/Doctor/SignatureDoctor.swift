import Crypto

/// Tries the mistakes that clients make with signatures, so that a refusal can name the one that was made.
///
/// It costs a few hundred verifications at most, and only where a signature is wrong.
struct SignatureDoctor {
    /// Whether a signature is right for a message, by the key and the algorithm on record.
    let isValid: (_ signature: [UInt8], _ message: [UInt8]) -> Bool
    let authenticatorData: [UInt8]
    let clientData: [UInt8]

    /// One or more sentences; nil where none of the mistakes explains it.
    func finding(on signature: [UInt8]) -> String? {
        for (signature, form) in Self.forms(of: signature) {
            guard let message = mistaken(signature, isAsPosted: form == nil) else { continue }
            return [form, message].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " ")
        }
        return nil
    }

    /// What the signature is right for; empty where it is what it should be right for.
    private func mistaken(_ signature: [UInt8], isAsPosted: Bool) -> String? {
        if !isAsPosted, isValid(signature, authenticatorData + hash) { return "" }
        if let (_, sentence) = messages.first(where: { isValid(signature, $0.bytes) }) { return sentence }
        let other = ClientDataForms.of(clientData).first {
            isValid(signature, authenticatorData + Digest.sha256($0))
        }
        return other.map {
            "It is right for the client data \(String(decoding: $0, as: UTF8.self).shortened), which were re-serialised "
                + "after they were signed: post the bytes that were hashed."
        }
    }

    private var hash: [UInt8] { Digest.sha256(clientData) }

    private typealias Message = (bytes: [UInt8], sentence: String)

    private var messages: [Message] {
        [
            (
                authenticatorData + clientData,
                "It is over authenticator data and client data that are not hashed; "
                    + "what is signed ends with SHA-256 of clientDataJSON."
            ),
            (
                authenticatorData + Digest.sha256(hash),
                "It is over client data that were hashed twice; SHA-256 of clientDataJSON once is enough."
            ),
            (
                Digest.sha256(authenticatorData + hash),
                "The message was hashed before it was signed, and hashed again by the signature's algorithm; "
                    + "sign the bytes themselves."
            ),
            (hash, Self.partial("the hash of client data")), (clientData, Self.partial("client data")),
            (Digest.sha256(hash), Self.partial("the hash of client data, hashed again,")),
            (authenticatorData, Self.partial("authenticator data")),
            (
                hash + authenticatorData,
                "It is over the hash of client data and authenticator data, in the wrong order: authenticator data come first."
            ),
            (
                authenticatorData + Array(Hex.encode(hash).utf8),
                "It is over the hash of client data as text in hexadecimal; its 32 bytes are signed."
            ),
            (
                authenticatorData + Array(Base64URL.encode(hash).utf8),
                "It is over the hash of client data as text in base64url; its 32 bytes are signed."
            ),
        ]
    }

    private static func partial(_ part: String) -> String {
        "It is over \(part) alone; what is signed is authenticator data followed by SHA-256 of clientDataJSON."
    }

    /// The signature as it was posted, and as it may have been meant.
    static func forms(of signature: [UInt8]) -> [(signature: [UInt8], finding: String?)] {
        var forms: [([UInt8], String?)] = [(signature, nil)]
        for (bytes, encoding) in signature.decodings {
            forms.append((bytes, "The signature is encoded twice: its bytes are its text in \(encoding)."))
        }
        return forms + forms.compactMap { bytes, finding in derived(bytes).map { ($0, note(finding)) } }
    }

    private static func note(_ finding: String?) -> String {
        (finding.map { $0 + " " } ?? "")
            + "The signature is r and s, one after the other; WebAuthn has ECDSA signatures in DER (§6.5.5)."
    }

    /// DER of what may be r and s; nil for another length than those of the curves.
    private static func derived(_ raw: [UInt8]) -> [UInt8]? {
        guard [64, 96, 132].contains(raw.count) else { return nil }
        let (r, s) = (raw.prefix(raw.count / 2), raw.suffix(raw.count / 2))
        return DER.sequence([r, s].map { DER.unsigned(Array($0)) })
    }
}

extension [UInt8] {
    /// What these bytes are the text of, where they are one: what was encoded twice.
    package var decodings: [(bytes: [UInt8], encoding: String)] {
        guard !isEmpty, allSatisfy({ 0x21...0x7E ~= $0 }) else { return [] }
        let text = String(decoding: self, as: UTF8.self)
        let all: [([UInt8]?, String)] = [
            (Hex.decode(text), "hexadecimal"), (Base64URL.decode(text, allowingPadding: true), "base64url"),
            (Base64.decode(text), "base64"),
        ]
        return all.compactMap { bytes, encoding in bytes.map { ($0, encoding) } }
    }
}
