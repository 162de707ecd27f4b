import Essentials
import SQLite

extension Activation {
    init(row: Row) throws {
        guard let state = State(rawValue: try row.text("state")),
            let phase = CommitPhase(rawValue: try row.text("commit_phase"))
        else { throw StoredValueUnknown(table: "powerauth_activation", id: try row.text("id")) }
        let salt = try row.optionalBlob("otp_salt")
        let digest = try row.optionalBlob("otp_digest")
        self.init(
            id: try row.text("id"), application: try row.text("application"), user: try row.text("user"),
            state: state, blockedReason: try row.optionalText("blocked_reason"),
            flags: try row.strings("flags"),
            code: try row.optionalText("code"), expiresAt: try row.date("expires_at"), commitPhase: phase,
            otp: salt.flatMap { salt in digest.map { SaltedDigest(salt: salt, digest: $0) } },
            otpFailures: try row.integer("otp_failures"), failedAttempts: try row.integer("failed_attempts"),
            maxFailedAttempts: try row.integer("max_failed_attempts"), serverKey: try row.blob("server_key"),
            serverPoint: try row.blob("server_point"), devicePoint: try row.optionalBlob("device_point"),
            masterSecret: try row.optionalBlob("master_secret"),
            counterData: try row.optionalBlob("counter_data"), counter: try row.integer("counter"),
            name: try row.optionalText("name"), platform: try row.optionalText("platform"),
            deviceInfo: try row.optionalText("device_info"), extras: try row.optionalText("extras"),
            externalID: try row.optionalText("external_id"), createdAt: try row.date("created_at"),
            lastUsedAt: try row.date("last_used_at"), changedAt: try row.date("changed_at"))
    }
}

/// A stored word that this program does not know: the file was written by another one.
struct StoredValueUnknown: Error {
    let table: String
    let id: String
}
