/// What the software authenticator of a world is asked in the place of the one that was recorded.
package struct PasskeyOrder: Sendable {
    package enum Ceremony: String, Sendable {
        case create, get
    }

    package let ceremony: Ceremony
    /// The options of the relying party, as JSON.
    package let options: [UInt8]
    /// Where the page or app is.
    package let origin: String
    /// Id of the credential that is to be used, in base64url; nil for a new one.
    package let credential: String?
    /// How the recorded authenticator is; nil where its answer cannot be read.
    package let role: Role?
    package let deviation: Deviation

    /// An authenticator as it shows in its answers.
    package struct Role: Sendable, Equatable {
        package let isUserPresent: Bool
        package let isUserVerified: Bool
        package let isBackupEligible: Bool
        package let isBackedUp: Bool
        package let counter: Counter
        /// Of a new credential alone.
        package var registration: Registration?
    }

    /// How a counter goes on from the last one that the relying party took.
    package enum Counter: String, Sendable {
        case zero, increasing, backwards
    }

    package struct Registration: Sendable, Equatable {
        /// Of the attestation, such as `none` or `packed`.
        package let format: String
        package let hasCertificates: Bool
        /// Of COSE, such as -7.
        package let algorithm: Int
        /// UUID in lower case.
        package let aaguid: String
        /// Nil where the client sent none.
        package let transports: [String]?
    }

    /// What the recorded answer had otherwise than the ceremony asks for, on purpose or by mistake; what is nil was right.
    package struct Deviation: Sendable, Equatable {
        /// In base64url.
        package var challenge: String?
        package var type: String?
        package var relyingPartyID: String?
        package var isCrossOrigin = false
        package var topOrigin: String?
        /// In base64url.
        package var userHandle: String?
        package var userHandleForm = UserHandleForm.base64url
        package var breaksSignature = false
        /// As the control API names it, such as `nonce`.
        package var attestationFault: String?
    }

    package enum UserHandleForm: String, Sendable {
        case base64url, text, absent
    }
}
