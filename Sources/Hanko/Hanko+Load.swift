import Essentials
import PlatformKit
package import SQLite

extension Hanko {
    package static func load(_ fixtures: HankoFixtures, into db: Connection) throws {
        try ConfigurationStore.load(
            fixtures.config ?? ConfigurationFixture(),
            OwnSettings(
                profile: fixtures.profile, strictPendingAddress: fixtures.strictPendingAddress,
                anyLocalhostOrigin: fixtures.anyLocalhostOrigin, adminKey: fixtures.adminKey),
            into: db)
        try AssociationStore.load(fixtures.association, into: db)
        var loader = HankoLoader(db: db)
        for (index, email) in (fixtures.emails ?? []).enumerated() {
            try loader.load(
                email, userID: nil, isPrimary: email.isPrimary ?? false, at: ["emails", String(index)])
        }
        for (index, user) in (fixtures.users ?? []).enumerated() {
            try loader.load(user, at: ["users", String(index)])
        }
        for (index, user) in (fixtures.users ?? []).enumerated() {
            try loader.loadPending(of: user, at: ["users", String(index)])
        }
        for (index, passcode) in (fixtures.passcodes ?? []).enumerated() {
            try loader.load(passcode, at: ["passcodes", String(index)])
        }
        for (index, session) in (fixtures.sessions ?? []).enumerated() {
            try loader.load(session, at: ["sessions", String(index)])
        }
        for (index, limit) in (fixtures.rateLimits ?? []).enumerated() {
            try loader.load(limit, at: ["rate_limits", String(index)])
        }
        for (index, device) in (fixtures.trustedDevices ?? []).enumerated() {
            try loader.load(device, at: ["trusted_devices", String(index)])
        }
        for (index, challenge) in (fixtures.challenges ?? []).enumerated() {
            try loader.load(challenge, at: ["challenges", String(index)])
        }
        for (index, flow) in (fixtures.flows ?? []).enumerated() {
            try loader.load(flow, at: ["flows", String(index)])
        }
        for (index, state) in (fixtures.thirdPartyStates ?? []).enumerated() {
            try loader.load(state, at: ["third_party_states", String(index)])
        }
        for (index, token) in (fixtures.thirdPartyTokens ?? []).enumerated() {
            try loader.load(token, at: ["third_party_tokens", String(index)])
        }
        for (index, hook) in (fixtures.webhooks ?? []).enumerated() {
            try loader.load(hook, at: ["webhooks", String(index)])
        }
        for (index, entry) in (fixtures.auditLog ?? []).enumerated() {
            try loader.load(entry, at: ["audit_logs", String(index)])
        }
    }
}
