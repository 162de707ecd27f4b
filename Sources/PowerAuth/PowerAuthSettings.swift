import Essentials
import PlatformKit
import SQLite

/// Limits and switches of the server, from the section `settings` of the fixtures.
struct PowerAuthSettings: Codable, Sendable, Equatable {
    /// How long an activation may stay incomplete.
    var activationSeconds = 300
    var maxFailedAttempts = 5
    /// Wrong activation OTPs before an activation is removed.
    var maxOTPAttempts = 5
    /// How many counter values ahead an authentication code is looked for, 1 to 64.
    var lookAhead = 20
    /// How far the time of an encrypted request may be from ours, 3.2 and later.
    var encryptedRequestSeconds = 60
    /// How far the time of an encrypted request or a MAC token header of protocol 4.0 may be from ours.
    var protocol4Seconds = 300
    /// Whether the answer of a temporary key of protocol 4.0 is a text that holds the JWS, or the JWS as an object: `text` or `object`.
    var temporaryKeyForm = "text"
    /// How old a MAC token header of 3.x may be, and how far ahead.
    var tokenSeconds = 7200
    var tokenAheadSeconds = 1800
    var temporaryKeySeconds = 300
    /// Digits of each component of an offline code, 4 to 8.
    var offlineComponentLength = 8
    /// Whether biometry opens the vault.
    var unlocksVaultByBiometry = false
    var maxRecoveryAttempts = 5
    /// Steps of 30 s back in which a proximity OTP is still right.
    var proximityStepsBack = 1
    /// Whether an activation of type CUSTOM is committed at once.
    var commitsCustomActivations = true
    /// Whether `GET /api/admin/template` is there.
    var showsTemplates = true
    /// How callbacks write times: `milliseconds` or `iso8601`.
    var callbackTimes = "milliseconds"
    /// Which servers the answers at paths of 3.x are like: `1.9` or `2.x`. In 2.x the version is another one, devices hear of codes instead of
    /// signatures, there are fewer error codes, and no recovery codes.
    var serverGeneration = "1.9"

    /// Whether the management API asks for the credentials of an integration.
    var restrictsAccess = false

    static let kept = Setting<PowerAuthSettings>("powerauth.settings")

    init() {}

    static let firstVersion = "1.9.0"
    static let secondVersion = "2.0.0"

    var isOfSecondGeneration: Bool { serverGeneration == "2.x" }
    /// Of the server, as it tells it at paths of 3.x.
    var serverVersion: String {
        isOfSecondGeneration ? Self.secondVersion : Self.firstVersion
    }
    /// Of the messages that devices hear at paths of 3.x.
    var messageGeneration: Int { isOfSecondGeneration ? 2 : 1 }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(.activationSeconds, into: &activationSeconds)
        try read(.maxFailedAttempts, into: &maxFailedAttempts)
        try read(.maxOTPAttempts, into: &maxOTPAttempts)
        try read(.lookAhead, into: &lookAhead)
        try read(.encryptedRequestSeconds, into: &encryptedRequestSeconds)
        try read(.protocol4Seconds, into: &protocol4Seconds)
        try read(.temporaryKeyForm, into: &temporaryKeyForm)
        try read(.tokenSeconds, into: &tokenSeconds)
        try read(.tokenAheadSeconds, into: &tokenAheadSeconds)
        try read(.temporaryKeySeconds, into: &temporaryKeySeconds)
        try read(.offlineComponentLength, into: &offlineComponentLength)
        try read(.unlocksVaultByBiometry, into: &unlocksVaultByBiometry)
        try read(.maxRecoveryAttempts, into: &maxRecoveryAttempts)
        try read(.proximityStepsBack, into: &proximityStepsBack)
        try read(.commitsCustomActivations, into: &commitsCustomActivations)
        try read(.showsTemplates, into: &showsTemplates)
        try read(.callbackTimes, into: &callbackTimes)
        try read(.serverGeneration, into: &serverGeneration)
        try read(.restrictsAccess, into: &restrictsAccess)
    }

    enum CodingKeys: String, CodingKey {
        case activationSeconds = "activation_seconds"
        case maxFailedAttempts = "max_failed_attempts"
        case maxOTPAttempts = "max_otp_attempts"
        case lookAhead = "look_ahead"
        case encryptedRequestSeconds = "encrypted_request_seconds"
        case protocol4Seconds = "protocol_4_seconds"
        case temporaryKeyForm = "temporary_key_form"
        case tokenSeconds = "token_seconds"
        case tokenAheadSeconds = "token_ahead_seconds"
        case temporaryKeySeconds = "temporary_key_seconds"
        case offlineComponentLength = "offline_component_length"
        case unlocksVaultByBiometry = "unlocks_vault_by_biometry"
        case maxRecoveryAttempts = "max_recovery_attempts"
        case proximityStepsBack = "proximity_steps_back"
        case commitsCustomActivations = "commits_custom_activations"
        case showsTemplates = "shows_templates"
        case callbackTimes = "callback_times"
        case serverGeneration = "server_generation"
        case restrictsAccess = "restrict_access"
    }
}

// What fixtures may say.
extension PowerAuthSettings {
    /// - Throws: ``FixtureProblem``.
    func check() throws {
        let day = 86_400
        let limits: [(String, Int, ClosedRange<Int>)] = [
            ("activation_seconds", activationSeconds, 1...30 * day),
            ("max_failed_attempts", maxFailedAttempts, 1...64),
            ("max_otp_attempts", maxOTPAttempts, 1...64),
            ("look_ahead", lookAhead, 1...64),
            ("encrypted_request_seconds", encryptedRequestSeconds, 1...day),
            ("protocol_4_seconds", protocol4Seconds, 1...day),
            ("token_seconds", tokenSeconds, 1...30 * day),
            ("token_ahead_seconds", tokenAheadSeconds, 0...30 * day),
            ("temporary_key_seconds", temporaryKeySeconds, 1...30 * day),
            ("offline_component_length", offlineComponentLength, 4...8),
            ("max_recovery_attempts", maxRecoveryAttempts, 1...64),
            ("proximity_steps_back", proximityStepsBack, 0...20),
        ]
        for (name, value, range) in limits {
            try FixtureRules.require(range, value, at: ["settings", name])
        }
        guard ["1.9", "2.x"].contains(serverGeneration) else {
            throw FixtureProblem(
                at: ["settings", "server_generation"],
                "expected 1.9 or 2.x, found “\(serverGeneration.prefix(60))”")
        }
        guard ["text", "object"].contains(temporaryKeyForm) else {
            throw FixtureProblem(
                at: ["settings", "temporary_key_form"],
                "expected text or object, found “\(temporaryKeyForm.prefix(60))”")
        }
        guard ["milliseconds", "iso8601"].contains(callbackTimes) else {
            throw FixtureProblem(
                at: ["settings", "callback_times"],
                "expected milliseconds or iso8601, found “\(callbackTimes.prefix(60))”")
        }
    }
}

extension World {
    /// Limits and switches of PowerAuth here. They change when fixtures are loaded, and not otherwise.
    func settings(in db: Connection) throws -> PowerAuthSettings {
        try services.memo.value("powerauth.settings") {
            try PowerAuthSettings.kept.value(in: db) ?? PowerAuthSettings()
        }
    }
}
