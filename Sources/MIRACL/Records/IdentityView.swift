import Essentials
import PlatformKit

/// An identity as the console shows one.
struct IdentityView {
    static let kind = "identity"

    /// What can be done to one.
    enum Action: String, CaseIterable {
        case verify, block, unblock, revoke, renew, delete
    }

    let identity: Identity
    let project: Project
    let now: Date

    var record: ConsoleRecord {
        ConsoleRecord(
            id: identity.hashMPinID,
            title: identity.deviceName.isEmpty ? "Identity" : identity.deviceName, user: identity.userID,
            state: state, createdAt: identity.createdAt, facts: facts, actions: actions)
    }

    private var state: String {
        switch identity.state {
        case .pending, .verified, .issued:
            identity.registrationExpiresAt <= now ? "expired" : identity.state.rawValue
        case .active: identity.isExpired(at: now) ? "expired" : identity.state.rawValue
        case .blocked, .revoked: identity.state.rawValue
        }
    }

    private var facts: [ConsoleRecord.Fact] {
        let isRegistering = identity.isRegistering(at: now)
        let all: [(String, String?)] = [
            ("Project", identity.projectID), ("Hash of the M-Pin id", identity.hashMPinID),
            ("M-Pin id", String(decoding: identity.idBytes, as: UTF8.self)),
            ("For", identity.purpose == .signing ? "signatures" : "logins"),
            ("Verified by", identity.origin.map(\.words)),
            ("Key pair", identity.publicKey == nil ? "none" : "yes"),
            ("Wrong PINs in a row", "\(identity.wrongCount) of \(project.attemptLimit)"),
            ("Secrets", secrets), ("Renewal", identity.needsRenewal ? "at the next proof" : nil),
            ("regOTT", isRegistering ? identity.regOTT : nil), ("Push token", identity.pushToken),
            ("Shares until", isRegistering ? identity.registrationExpiresAt.text : nil),
            ("Last used", identity.lastUsedAt?.text), ("Ends", identity.expiresAt?.text),
        ]
        return ConsoleRecord.Fact.known(all)
    }

    /// Which master shares they were made of.
    private var secrets: String? {
        // Shares that cannot be read do not get into a world.
        guard let current = try? project.dtas() else { return nil }
        if identity.dtas == current { return "of the project's master shares" }
        let isKnown = (try? project.masterSecret(of: identity)) != nil
        return isKnown ? "of previous master shares" : "of master shares that the project does not have"
    }

    private var actions: [ConsoleRecord.Action] {
        let names: [Action] =
            switch identity.state {
            case .pending: [.verify, .revoke, .delete]
            case .verified, .issued: [.revoke, .delete]
            case .active: [.block, .renew, .revoke, .delete]
            case .blocked: [.unblock, .revoke, .delete]
            case .revoked: [.delete]
            }
        return names.map(\.button)
    }
}

extension IdentityView.Action {
    fileprivate var button: ConsoleRecord.Action {
        switch self {
        case .verify: ConsoleRecord.Action(rawValue, "Verify without the mail")
        case .block: ConsoleRecord.Action(rawValue, "Block")
        case .unblock: ConsoleRecord.Action(rawValue, "Unblock")
        case .revoke:
            ConsoleRecord.Action(
                rawValue, "Revoke", inputs: [ConsoleRecord.Input("reason", "Reason")], isFinal: true)
        case .renew: ConsoleRecord.Action(rawValue, "Renew at the next proof")
        case .delete: ConsoleRecord.Action(rawValue, "Delete", isFinal: true)
        }
    }
}

extension Identity.Origin {
    fileprivate var words: String {
        switch self {
        case .mail: "mail"
        case .custom: "the customer's back end"
        case .forced: "force activation"
        case .registrationCode: "a registration code"
        case .quickCode: "a quick code"
        case .renewal: "another identity of the device"
        }
    }
}
