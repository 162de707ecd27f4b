import Crypto
import Essentials
import HTTP
import PlatformKit
import WebAuthn

/// Lets a software authenticator of a world do what a browser would ask of it.
struct Ceremony {
    let store: AuthenticatorStore
    let entropy: Entropy
    let id: String
    /// nil for the authenticator's own origin.
    let origin: String?
    /// The server's, for authenticators that have none of their own.
    let serverOrigin: String

    struct Outcome: Sendable {
        /// What `PublicKeyCredential.toJSON()` gives.
        let json: [UInt8]
        /// The credential that was made or used.
        let credential: SoftwareCredential?
    }

    /// A key of RSA takes a fifth of a second to make, so it is made before the transaction that needs it.
    private struct RSAKeyWanted: Error {}

    /// - Parameter ask: `create` or `get` of the authenticator.
    /// - Returns: nil when there is no such authenticator.
    /// - Throws: ``ControlError``.
    func run(_ ask: (inout SoftwareAuthenticator) throws -> [UInt8]) throws -> Outcome? {
        do {
            return try run(rsaKey: nil, ask)
        } catch is RSAKeyWanted {
            return try run(rsaKey: RSAKeys.shared.key(), ask)
        }
    }

    private func run(
        rsaKey: PrivateKey?, _ ask: (inout SoftwareAuthenticator) throws -> [UInt8]
    ) throws -> Outcome? {
        try store.change(id) { kept in
            let origin = self.origin ?? kept.origin ?? serverOrigin
            var software = try SoftwareAuthenticator(
                AuthenticatorBehaviour(kept).software(at: origin),
                credentials: kept.credentials.map(SoftwareCredential.init),
                entropy: .init(
                    bytes: { [entropy] in entropy.bytes($0, "console.credential") },
                    rsaKey: {
                        guard let rsaKey else { throw RSAKeyWanted() }
                        return rsaKey
                    }))
            let json: [UInt8]
            do {
                json = try ask(&software)
            } catch let error as SoftwareAuthenticatorError {
                throw ControlError.ceremonyRefused(error, hint: Self.hint(error, software, at: origin))
            }
            guard software.credentials.count <= AuthenticatorLimit.credentials else {
                throw ControlError.refused(
                    "An authenticator keeps at most \(AuthenticatorLimit.credentials) credentials; make another one."
                )
            }
            // A key is written down once, when it is new.
            let keys = Dictionary(kept.credentials.map { ($0.id, $0.privateKey) }) { first, _ in first }
            kept.credentials = try software.credentials.map { credential in
                KeptCredential(
                    credential, privateKey: try keys[credential.id] ?? credential.key.pem())
            }
            let answered = try JSONValue(parsing: json)["id"]?.string.flatMap { Base64URL.decode($0) }
            return Outcome(json: json, credential: software.credentials.first { $0.id == answered })
        }
    }

    /// What may help, beside the authenticator's own sentence.
    private static func hint(
        _ error: SoftwareAuthenticatorError, _ authenticator: SoftwareAuthenticator, at origin: String
    ) -> String {
        switch error.name {
        case .type, .syntax:
            return
                "Send the options of the relying party as they are, with or without “publicKey” around them."
        case .security:
            return
                "The page or app is at \(origin.shortened); name another origin in the query (origin=…) or in the authenticator."
        case .notSupported:
            return
                "Change what the relying party asks for, or the switches of the authenticator: algorithms, attestation, largeBlob."
        case .invalidState:
            return
                "This account already has a credential in this authenticator; use another authenticator."
        case .notAllowed:
            let places = Set(authenticator.credentials.map(\.relyingPartyID)).sorted()
            return places.isEmpty
                ? "The authenticator has no credentials yet."
                : "It has credentials for \(places.joined(separator: ", ").shortened)."
        }
    }
}

extension AuthenticatorBehaviour {
    init(_ kept: KeptAuthenticator) throws {
        self = .standard(ofPhone: kept.phone != nil)
        try change(JSONValue(parsing: kept.behaviour), self)
    }
}

extension SoftwareCredential {
    init(_ kept: KeptCredential) throws {
        guard let algorithm = COSEAlgorithm(rawValue: kept.algorithm) else {
            throw CredentialUnreadable(algorithm: kept.algorithm)
        }
        self.init(
            id: kept.id, relyingPartyID: kept.relyingPartyID, userHandle: kept.userHandle,
            userName: kept.userName, algorithm: algorithm, key: try PrivateKey(pem: kept.privateKey),
            signCount: UInt32(clamping: kept.signCount), credRandom: kept.credRandom,
            keepsLargeBlob: kept.keepsLargeBlob, largeBlob: kept.largeBlob)
    }
}

extension KeptCredential {
    init(_ credential: SoftwareCredential, privateKey: String) {
        self.init(
            id: credential.id, relyingPartyID: credential.relyingPartyID, userHandle: credential.userHandle,
            userName: credential.userName, algorithm: credential.algorithm.rawValue,
            privateKey: privateKey, signCount: Int(credential.signCount), credRandom: credential.credRandom,
            keepsLargeBlob: credential.keepsLargeBlob, largeBlob: credential.largeBlob)
    }
}

/// The database has a credential of an algorithm that this program does not know.
struct CredentialUnreadable: Error {
    let algorithm: Int
}
