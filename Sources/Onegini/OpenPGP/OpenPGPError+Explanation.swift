import Essentials

extension OpenPGPError {
    /// What was expected, what came, and the likely cause: one sentence or more, for the journal.
    package var explanation: String { formFault ?? certificateFault ?? signatureFault ?? messageFault }

    private var formFault: String? {
        switch self {
        case .tooLarge(let bytes, let limit):
            "The OpenPGP data have \(bytes) bytes; at most \(limit) are read."
        case .truncated(let wanted, let left):
            "The OpenPGP data end too early: \(wanted) more bytes were announced and \(left) are left. Part of them was lost on the way."
        case .malformed(let fault):
            "The OpenPGP data are malformed: \(fault)."
        case .armorMalformed(let fault):
            "The text around the OpenPGP data is malformed: \(fault)."
        case .otherBlock(let found, let expected):
            "A block \u{201c}\(expected)\u{201d} was expected and a block \u{201c}\(found)\u{201d} came."
        case .tooManyPackets:
            "The OpenPGP data have more than \(OpenPGP.maximumPackets) packets."
        case .tooManyRecipients(let count):
            "The message is encrypted to \(count) keys; at most \(OpenPGP.maximumRecipients) are looked at."
        case .cryptography(let fault):
            "A cryptographic operation failed: \(fault)."
        default: nil
        }
    }

    private var certificateFault: String? {
        switch self {
        case .secretKeySent:
            "Expected a public key, got a secret key. Export it with gpg --export, and treat the secret key as known to others."
        case .severalCertificates:
            "Expected one certificate, got several. Export the key by its fingerprint."
        case .keyVersion(let version):
            "Expected a key of version 4, got version \(version). Version 6 (RFC 9580) is not supported; create the key with GnuPG."
        case .keyAlgorithm(let algorithm):
            "The key has the algorithm \(algorithm); RSA (1) and Ed25519 with Curve25519 (22 with 18) are accepted."
        case .keySize(let bits):
            "The RSA key has \(bits) bits; 2048 to 4096 are accepted, with an exponent of at most 32 bits."
        case .selfSignatureMissing:
            "The certificate has no user id that the key itself signed. It was stripped, or the export is not complete."
        case .selfSignatureInvalid:
            "The key's signature over its own user id is wrong: the certificate was changed after it was created."
        case .bindingInvalid:
            "The key's signature over its subkey is missing or wrong: the certificate was changed after it was created."
        case .revoked:
            "The key was revoked by its owner."
        case .expired(let date):
            "The key expired at \(date.formatted(.iso8601)), by the clock of this world."
        case .encryptionKeyMissing:
            "The certificate has no key for encryption: neither a subkey nor the primary key carries such a flag."
        default: nil
        }
    }

    private var signatureFault: String? {
        switch self {
        case .hashAlgorithm(let algorithm):
            "The signature uses the hash algorithm \(algorithm); SHA-256 (8), SHA-384 (9) and SHA-512 (10) are accepted."
        case .criticalSubpacket(let kind):
            "The signature has a part of the type \(kind) that is marked as critical and not supported here; RFC 4880 §5.2.3.1 requires a refusal."
        case .signatureInvalid:
            "The signature is by the enrolled key and wrong for what it signs."
        case .signedByAnother(let issuer):
            "The message is signed by the key \(issuer.isEmpty ? "of nobody" : issuer), which is not a signing key of the enrolled certificate."
        default: nil
        }
    }

    private var messageFault: String {
        switch self {
        case .notEncrypted:
            "Expected an encrypted message, got something else. Encrypt to the server's key: gpg -r FINGERPRINT -e."
        case .notProtected:
            "The message is encrypted without an integrity check (packet 9); anyone on the way could change it."
        case .newerProtection:
            "The message is encrypted in a form that the server's certificate does not offer (AEAD); use its preferences."
        case .notForServer(let recipients, let expected):
            "The message is encrypted to \(recipients.isEmpty ? "a password" : recipients.joined(separator: ", ")), not to the server's key \(expected). The device may hold an old server key."
        case .sessionKeyUnreadable:
            "The message names the server's key, but its session key cannot be decrypted with it."
        case .cipher(let algorithm):
            "The message is encrypted by the cipher \(algorithm); AES (7, 8 and 9) is accepted."
        case .modified:
            "The integrity check of the message is wrong or missing: it was changed on the way, or encrypted with another key."
        case .compressed:
            "The message is compressed, which the server's certificate asks not to do; use gpg --compress-algo none."
        default: "The OpenPGP data are refused."
        }
    }
}
