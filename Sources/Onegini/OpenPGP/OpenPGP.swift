import HTTP

/// The part of OpenPGP in which the token server and a device speak about mobile authentication.
///
/// The server has a certificate of two RSA keys (``OpenPGPServerKey``), a device has RSA keys or Curve25519 ones
/// (``OpenPGPCertificate``). Messages are encrypted by AES with an integrity check (``OpenPGPMessage``); those of a device may
/// be signed. Whatever does not belong to this part is refused with its reason (``OpenPGPError``).
///
/// Source: RFC 4880, RFC 6637 for ECDH, and of the drafts after RFC 4880 what GnuPG writes: EdDSA, Curve25519, issuer
/// fingerprints. Left out: passwords, compression, AEAD, keys of version 5 and 6, the NIST curves, DSA and ElGamal,
/// signatures by SHA-1.
enum OpenPGP {
    /// The limit of a certificate and of a message that comes, in binary form, in bytes.
    static let maximumSize = 65_536

    /// The limit of what is encrypted to a device, in bytes: whatever fits into the body of a request, and half as much again for what JSON
    /// writes of it. The product has none. Source: Token Server documentation, “Mobile authentication”, message.
    static let maximumPlaintext = Limits().bodyBytes * 3 / 2

    /// How many packets a certificate or a message may have; a message of GnuPG has 2 outside and at most 3 inside.
    static let maximumPackets = 512

    /// How many recipients a message may have: each may cost an RSA decryption.
    static let maximumRecipients = 16

    /// The packets of RFC 4880 §4.3 that are told apart here.
    enum Tag {
        static let encryptedSessionKey: UInt8 = 1
        static let signature: UInt8 = 2
        static let passwordSessionKey: UInt8 = 3
        static let onePassSignature: UInt8 = 4
        static let secretKey: UInt8 = 5
        static let publicKey: UInt8 = 6
        static let secretSubkey: UInt8 = 7
        static let compressed: UInt8 = 8
        static let encrypted: UInt8 = 9
        static let marker: UInt8 = 10
        static let literal: UInt8 = 11
        static let trust: UInt8 = 12
        static let userID: UInt8 = 13
        static let publicSubkey: UInt8 = 14
        static let userAttribute: UInt8 = 17
        static let protected: UInt8 = 18
        static let authenticated: UInt8 = 20
        static let padding: UInt8 = 21
    }

    /// The public-key algorithms of RFC 4880 §9.1 and RFC 6637 §5 that are spoken here.
    enum Algorithm {
        static let rsa: UInt8 = 1
        static let ecdh: UInt8 = 18
        static let eddsa: UInt8 = 22
    }
}
