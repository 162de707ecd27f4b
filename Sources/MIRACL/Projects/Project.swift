import Essentials
import SQLite

/// What the vendor's portal keeps for one customer: whose identities these are, how they are verified, which applications there are.
///
/// The same shape stands in fixtures and in the database. Every lifetime is in seconds.
struct Project: Codable, Sendable, Equatable {
    /// How a user proves to be the owner of the id.
    enum VerificationMethod: String, Codable, Sendable, CaseIterable {
        /// A link in a mail.
        case link
        /// Six digits in a mail.
        case code
        /// The customer's back end, which asks for the link itself.
        case custom
    }

    enum IdentityType: String, Codable, Sendable, CaseIterable {
        case email, alphanumeric
    }

    var id: String
    var name: String
    /// Whether requests that name no project mean this one, though there are others; the last one that says so counts. False when
    /// left out.
    var isDefault: Bool?
    var logoURL: String?
    /// The master shares of the two trust authorities: 32 bytes each, hexadecimal. Left out, they follow from the project's id, so
    /// that the identity on a phone outlives a restart.
    var firstShare: String?
    var secondShare: String?
    /// Shares that were in use before, the newest last: identities that have secrets of these are renewed at their next proof.
    var previousShares: [Shares]?
    /// 4 to 6; 4 when left out.
    var pinLength: Int?
    /// `link` when left out.
    var verificationMethod: VerificationMethod?
    /// Where `custom` sends users.
    var verificationURL: String?
    var verificationText: String?
    /// Where `custom` asks the customer's back end about registrations of the first two generations; nobody is asked when left out.
    var verifierURL: String?
    /// `email` when left out.
    var identityType: IdentityType?
    var identityTypeLabel: String?
    /// Whether a registered device may bring in another one by a code; true when left out.
    var enableRegistrationCode: Bool?
    /// Whether a device that came by such a code may bring in no other. False when left out.
    var limitRegCodeVerified: Bool?
    /// True to take every registration as confirmed. False when left out.
    var forceActivation: Bool?
    /// Users whose registrations are taken as confirmed.
    var forceActivatedUsers: [String]?
    /// Users who may register, each an id or `@` and a domain; everybody when left out.
    var allowedUsers: [String]?
    /// Whether clients of the first generation have to bring time permits. False when left out.
    var timePermits: Bool?
    /// Wrong PINs in a row that block an identity; 3 when left out.
    var maxAttempts: Int?
    /// Seconds between two mails to one user; 10 when left out.
    var backoff: Int?
    /// True to treat an id that nobody knows like a blocked one, so that an app registers anew after a reset of this server.
    var blockUnknownIdentities: Bool?
    var customerID: String?
    var customerName: String?
    var lifetimes: Lifetimes?
    var applications: [Application]?
    var serviceAccounts: [ServiceAccount]?

    enum CodingKeys: String, CodingKey {
        case id, name, backoff, lifetimes, applications
        case isDefault = "default"
        case logoURL = "logo_url"
        case firstShare = "first_share"
        case secondShare = "second_share"
        case previousShares = "previous_shares"
        case pinLength = "pin_length"
        case verificationMethod = "verification_method"
        case verificationURL = "verification_url"
        case verificationText = "verification_text"
        case verifierURL = "verifier_url"
        case identityType = "identity_type"
        case identityTypeLabel = "identity_type_label"
        case enableRegistrationCode = "enable_registration_code"
        case limitRegCodeVerified = "limit_reg_code_verified"
        case forceActivation = "force_activation"
        case forceActivatedUsers = "force_activated_users"
        case allowedUsers = "allowed_users"
        case timePermits = "time_permits"
        case maxAttempts = "max_attempts"
        case blockUnknownIdentities = "block_unknown_identities"
        case customerID = "customer_id"
        case customerName = "customer_name"
        case serviceAccounts = "service_accounts"
    }
}

extension Project {
    /// Whose identities may sign in to what: an OpenID Connect client.
    struct Application: Codable, Sendable, Equatable {
        var clientID: String
        var clientSecret: String
        var name: String?
        var logoURL: String?
        /// A path is one of this server, in each of its worlds.
        var redirectURIs: [String]
        /// Users who may sign in here, each an id or `@` and a domain; everybody when left out.
        var allowedUsers: [String]?

        enum CodingKeys: String, CodingKey {
            case name
            case clientID = "client_id"
            case clientSecret = "client_secret"
            case logoURL = "logo_url"
            case redirectURIs = "redirect_uris"
            case allowedUsers = "allowed_users"
        }
    }

    /// A back end that proves itself with a bearer token.
    struct ServiceAccount: Codable, Sendable, Equatable {
        var name: String?
        var token: String
    }

    /// Master shares of both trust authorities: 32 bytes each, hexadecimal.
    struct Shares: Codable, Sendable, Equatable {
        var first: String
        var second: String
    }

    /// Seconds.
    struct Lifetimes: Codable, Sendable, Equatable {
        /// Of an access code; 300.
        var session: Int?
        /// From registration to the first share; 3600.
        var registration: Int?
        /// Of the URL of a share; 60.
        var ticket: Int?
        /// Between the two passes; 15.
        var pass: Int?
        /// Between second pass and `authenticate`; 60.
        var proof: Int?
        /// Of an activation token; 3600.
        var activation: Int?
        /// Of one-time passwords, registration codes and quick codes; 60.
        var code: Int?
        /// Of what a mail brings; 3600.
        var verification: Int?
        /// Of an identity; for ever when left out.
        var identity: Int?
    }
}

extension Project {
    var pinDigits: Int { pinLength ?? 4 }
    var method: VerificationMethod { verificationMethod ?? .link }
    var attemptLimit: Int { maxAttempts ?? 3 }
    var backoffSeconds: Int { backoff ?? 10 }
    var offersRegistrationCodes: Bool { enableRegistrationCode ?? true }
    var wantsPermits: Bool { timePermits ?? false }
    var customer: (id: String, name: String) { (customerID ?? id, customerName ?? name) }

    var sessionSeconds: Int { lifetimes?.session ?? 300 }
    var registrationSeconds: Int { lifetimes?.registration ?? 3600 }
    var ticketSeconds: Int { lifetimes?.ticket ?? 60 }
    var passSeconds: Int { lifetimes?.pass ?? 15 }
    var proofSeconds: Int { lifetimes?.proof ?? 60 }
    var activationSeconds: Int { lifetimes?.activation ?? 3600 }
    var codeSeconds: Int { lifetimes?.code ?? 60 }
    var verificationSeconds: Int { lifetimes?.verification ?? 3600 }

    func application(_ clientID: String) -> Application? {
        applications?.first { $0.clientID == clientID }
    }

    /// Whether registrations of this user need no confirmation.
    func forcesActivation(of userID: String) -> Bool {
        forceActivation ?? false || forceActivatedUsers?.contains(userID) ?? false
    }

    func admits(_ userID: String) -> Bool { allowedUsers?.admit(userID) ?? true }
}

extension Project.Application {
    func admits(_ userID: String) -> Bool { allowedUsers?.admit(userID) ?? true }
}

extension [String] {
    /// Whether one of these is the user's id, or its domain behind `@`.
    fileprivate func admit(_ userID: String) -> Bool {
        contains { $0 == userID || $0.hasPrefix("@") && userID.hasSuffix($0) }
    }
}

extension Project {
    /// Whether a text may be the id of a user.
    func isUserID(_ text: String) -> Bool {
        identityType == .alphanumeric || text.isMailAddress
    }
}

extension String {
    /// Something, one @ and something else, without blanks: what mails can be sent to is found out by a mail.
    fileprivate var isMailAddress: Bool {
        let parts = split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts.contains(where: \.isEmpty) && !contains(where: \.isWhitespace)
    }
}

/// A project as it is kept: a document.
struct KeptProject: Record {
    static let table: Table = "miracl_project"
    let id: String
    let settings: Project

    init(_ project: Project) { (id, settings) = (project.id, project) }
}

extension Project {
    /// In the order in which they came.
    static func all(in db: Connection) throws -> [Project] { try db.all(KeptProject.self).map(\.settings) }
}
