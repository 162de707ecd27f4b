import Essentials
import OpenID
import PlatformKit

/// An access session as the console shows one.
struct SessionView {
    static let kind = "session"

    /// What can be done to one.
    enum Action: String, CaseIterable {
        case expire, abort
    }

    let session: AccessSession
    let project: Project?
    let now: Date

    var record: ConsoleRecord {
        ConsoleRecord(
            id: session.accessID, title: title,
            user: session.userID ?? session.prerollID, state: state, createdAt: session.createdAt,
            facts: facts, code: code,
            actions: session.isLive(at: now)
                ? [
                    ConsoleRecord.Action(Action.expire.rawValue, "Let it expire", isFinal: true),
                    ConsoleRecord.Action(Action.abort.rawValue, "Say no for the user", isFinal: true),
                ] : [])
    }

    var state: String {
        !session.isOver && session.expiresAt <= now ? "expired" : session.state.rawValue
    }

    var title: String {
        if let description = session.description, session.hash != nil { return description }
        let clientID = session.authorization?.clientID
        let place =
            clientID.map { project?.application($0)?.name ?? $0 } ?? project?.name ?? session.projectID
        return session.registerOnly ? "Registration at \(place)" : "Login at \(place)"
    }

    /// What its QR code says, as long as somebody can scan it.
    var code: String? { session.isLive(at: now) ? session.qrURL : nil }

    var facts: [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Project", session.projectID), ("Access code", session.accessID),
            ("Access number", session.accessNumber), ("webOTT", session.webOTT),
            ("Client", session.authorization?.clientID),
            ("Redirect URI", session.authorization?.redirectURI), ("Scope", session.authorization?.scope),
            ("Only registers", session.registerOnly ? "yes" : nil), ("Hash", session.hash),
            ("Signature", session.signature), ("Redirects to", session.redirectURL),
            ("Ends", session.expiresAt.text),
        ]
        return ConsoleRecord.Fact.known(all)
    }
}
