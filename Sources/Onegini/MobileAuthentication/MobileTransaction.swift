import Essentials
import PlatformKit
import SQLite

/// One question to a user, from the portal that asks it to the device that answers.
struct MobileTransaction: Traced, Equatable {
    static let table = Table("onegini_transaction", limit: 10_000)
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_transaction (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- UUID
            type TEXT NOT NULL,
            method TEXT NOT NULL,
            portal TEXT NOT NULL,
            callback_uri TEXT NOT NULL,
            message TEXT NOT NULL,
            secure_message TEXT,
            signing_data TEXT,
            otp TEXT, -- 64 hex digits
            challenge TEXT NOT NULL, -- 32 hex digits
            page_key TEXT NOT NULL, -- 32 hex digits
            subject TEXT,
            device_id TEXT,
            profile_id TEXT,
            phone_number TEXT,
            sms_code TEXT,
            attempts INTEGER NOT NULL,
            resends INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            signature TEXT, -- JSON
            callback TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            fetched_at INTEGER, -- milliseconds since 1970 UTC
            ended_at INTEGER, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            gone_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_transaction_client ON onegini_transaction (device_id, state)",
        "CREATE INDEX onegini_transaction_gone ON onegini_transaction (gone_at)",
    ]

    /// Wrong OTP codes after which a transaction fails. *Assumed*.
    static let otpAttemptLimit = 3
    /// Seconds for which an ended transaction can be fetched. *Assumed*.
    static let afterlifeSeconds = 86_400.0

    /// UUID in lower case.
    var id: String
    /// Name of the configured type; after a fallback that of the type which was used.
    var type: String
    var method: MobileMethod
    /// Id of the API client that started it.
    var portal: String
    var callbackURI: String
    /// Shown to the user, with its context.
    var message: String
    /// Reaches the device encrypted, in the place of `message`.
    var secureMessage: String?
    /// Present for types with signing alone.
    var signingData: String?
    /// The OTP code, 64 upper-case hex digits; OTP alone.
    var otp: String?
    /// 32 hex digits, which prove that the device could decrypt.
    var challenge: String
    /// 32 hex digits, without which its page is not shown.
    var pageKey: String
    /// `sub` of the user; for OTP known from the fetch on.
    var subject: String?
    /// The device; for OTP known from the fetch on.
    var clientID: String?
    var profileID: String?
    /// Text messages alone; also the code.
    var phoneNumber: String?
    var smsCode: String?
    /// Wrong codes so far; with a PIN, refresh tokens that were tried.
    var attempts: Int
    var resends: Int
    /// Never `EXPIRED`: ask ``state(at:)``.
    var stored: MobileTransactionState
    var reason: MobileTransactionReason?
    var signature: DeviceSignature?
    /// Nil as long as there is nothing to tell.
    var callback: CallbackState?
    var createdAt: Date
    var fetchedAt: Date?
    var endedAt: Date?
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, type, method, portal
        case callbackURI = "callback_uri"
        case message
        case secureMessage = "secure_message"
        case signingData = "signing_data"
        case otp, challenge
        case pageKey = "page_key"
        case subject
        case clientID = "device_id"
        case profileID = "profile_id"
        case phoneNumber = "phone_number"
        case smsCode = "sms_code"
        case attempts, resends
        case stored = "state"
        case reason, signature, callback
        case createdAt = "created_at"
        case fetchedAt = "fetched_at"
        case endedAt = "ended_at"
        case expiresAt = "expires_at"
    }
}

extension MobileTransaction {
    var subjects: [Subject] {
        [Subject(.transaction, id, method.isPush ? "Approval" : "Login", method.way)]
            + (subject.map { [Subject(.user, $0)] } ?? [])
    }
}

extension MobileTransaction {
    /// Expiry is computed here, and nowhere else.
    func state(at now: Date) -> MobileTransactionState {
        stored.isOpen && now >= expiresAt ? .expired : stored
    }

    var derivedColumns: [DerivedColumn] { [DerivedColumn("gone_at", goneAt)] }

    /// From when on nobody can ask for it any more.
    var goneAt: Date { (endedAt ?? expiresAt) + Self.afterlifeSeconds }

    /// Whole seconds until it expires, rounded up; 0 when it is over.
    func secondsLeft(at now: Date) -> Int {
        guard state(at: now).isOpen else { return 0 }
        return now.seconds(until: expiresAt)
    }

    /// What the QR code says.
    var otpText: String? { otp.map { OTPObject(transactionID: id, code: $0).text } }

    /// What the device shows.
    var shownMessage: String { secureMessage ?? message }

    /// With no more of the secure message than its beginning.
    func shortened(to length: Int) -> MobileTransaction {
        var short = self
        short.secureMessage = secureMessage?.beginning(length)
        return short
    }

    /// Whether this device and profile are the ones that fetched it, or that it was sent to.
    func isFor(_ profile: Profile) -> Bool { clientID == profile.clientID && profileID == profile.id }
}

extension Connection {
    /// Nil for one whose day after its end is over as well.
    func mobileTransaction(_ id: String, at now: Date) throws -> MobileTransaction? {
        try first(MobileTransaction.self, where: "id = \(id) AND gone_at > \(now)")
    }
}
