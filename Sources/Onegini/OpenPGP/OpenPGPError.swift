package import Essentials

/// Why a certificate or a message was not accepted.
///
/// To a client all failures of decryption are one: an answer that told them apart would help to decrypt what others sent.
/// The reason is for the developer's journal, see ``explanation``.
package enum OpenPGPError: Error, Equatable {
    // The form.
    case tooLarge(bytes: Int, limit: Int)
    case truncated(wanted: Int, left: Int)
    case malformed(String)
    case armorMalformed(String)
    case otherBlock(found: String, expected: String)
    case tooManyPackets
    case tooManyRecipients(Int)
    case cryptography(String)

    // Certificates.
    case secretKeySent
    case severalCertificates
    case keyVersion(UInt8)
    case keyAlgorithm(UInt8)
    case keySize(bits: Int)
    case selfSignatureMissing
    case selfSignatureInvalid
    case bindingInvalid
    case revoked
    case expired(at: Date)
    case encryptionKeyMissing

    // Signatures.
    case hashAlgorithm(UInt8)
    case criticalSubpacket(UInt8)
    case signatureInvalid
    case signedByAnother(issuer: String)

    // Messages.
    case notEncrypted
    case notProtected
    case newerProtection
    case notForServer(recipients: [String], expected: String)
    case sessionKeyUnreadable
    case cipher(UInt8)
    case modified
    case compressed
}
