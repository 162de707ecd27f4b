import Crypto

/// What a client hands to `navigator.credentials.create()`, as JSON. ``PublicKeyMember`` is around it.
///
/// Source: Web Authentication Level 3 §5.1.8, `PublicKeyCredentialCreationOptionsJSON`; §5.4.
package struct CreationOptions: Encodable, Sendable, Equatable {
    package struct Party: Encodable, Sendable, Equatable {
        package let name: String
        package let id: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// For whom the credential is made.
    package struct User: Encodable, Sendable, Equatable {
        package let name: String
        package let displayName: String
        /// Base64url.
        package let id: String

        /// - Parameter handle: up to 64 bytes.
        package init(handle: [UInt8], name: String, displayName: String) {
            (id, self.name, self.displayName) = (Base64URL.encode(handle), name, displayName)
        }
    }

    package struct Parameter: Encodable, Sendable, Equatable {
        package let type = "public-key"
        package let alg: Int

        enum CodingKeys: String, CodingKey { case type, alg }
    }

    package struct Selection: Encodable, Sendable, Equatable {
        /// `platform`, `cross-platform`, or nil for either.
        package let authenticatorAttachment: String?
        package let requireResidentKey: Bool
        package let residentKey: String
        package let userVerification: String

        /// - Parameter residentKey: `required`, `preferred` or `discouraged`.
        package init(
            attachment: String? = nil, residentKey: String, userVerification: UserVerification
        ) {
            authenticatorAttachment = attachment
            requireResidentKey = residentKey == "required"
            self.residentKey = residentKey
            self.userVerification = userVerification.rawValue
        }
    }

    package let rp: Party
    package let user: User
    /// Base64url.
    package let challenge: String
    package let pubKeyCredParams: [Parameter]
    /// Milliseconds.
    package let timeout: Int
    /// Credentials that an authenticator must not have yet; left out when there are none.
    package let excludeCredentials: [CredentialDescriptor]?
    package let authenticatorSelection: Selection
    /// `none`, `indirect`, `direct` or `enterprise`.
    package let attestation: String

    package init(
        party: Party, user: User, challenge: [UInt8], algorithms: [COSEAlgorithm], timeout: Int,
        excluding excluded: [CredentialDescriptor] = [], selection: Selection, attestation: String
    ) {
        (rp, self.user, self.challenge) = (party, user, Base64URL.encode(challenge))
        pubKeyCredParams = algorithms.map { Parameter(alg: $0.rawValue) }
        self.timeout = timeout
        excludeCredentials = excluded.isEmpty ? nil : excluded
        (authenticatorSelection, self.attestation) = (selection, attestation)
    }
}

/// Options as `navigator.credentials` takes them: `{"publicKey": {…}}`.
package struct PublicKeyMember<Options: Encodable & Sendable & Equatable>: Encodable, Sendable, Equatable {
    package let publicKey: Options

    package init(_ options: Options) { publicKey = options }
}

/// A credential in `allowCredentials` and `excludeCredentials`. Source: Web Authentication Level 3 §5.8.3.
package struct CredentialDescriptor: Encodable, Sendable, Equatable {
    package let type = "public-key"
    /// Base64url.
    package let id: String
    /// How to reach it; left out when nobody knows.
    package let transports: [String]?

    package init(id: String, transports: [String] = []) {
        (self.id, self.transports) = (id, transports.isEmpty ? nil : transports)
    }

    enum CodingKeys: String, CodingKey { case type, id, transports }
}
