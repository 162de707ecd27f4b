import Crypto
package import SQLite

/// What a request or an event was about: somebody, or one of the things that tie the requests of a flow together.
///
/// The id is the one that clients and people see, or a digest; never a token or a code that would open something.
package struct Subject: Sendable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Somebody: a user id, a mail address or what else the platform knows people by.
        case user
        // One flow and no more.
        case transaction, operation, flow, login, code, passcode, challenge, proof, request
        // Things that live on, and see many flows.
        case activation, registration, grant, session, identity

        /// Whether whatever touches it is of the same flow, however much time lies between.
        package var isOneFlow: Bool {
            switch self {
            case .transaction, .operation, .flow, .login, .code, .passcode, .challenge, .proof, .request: true
            case .user, .activation, .registration, .grant, .session, .identity: false
            }
        }
    }

    package let kind: Kind
    package let id: String

    /// What a person would call it: `Passkey login`. Nil where the kind says enough.
    package let title: String?
    /// How it is done, to stand behind whose it is: `by OTP`.
    package let way: String?

    package init(_ kind: Kind, _ id: String, _ title: String? = nil, _ way: String? = nil) {
        (self.kind, self.id, self.title, self.way) = (kind, id, title, way)
    }

    /// What is kept by a digest, of which a beginning is enough to tell it from others.
    package init(_ kind: Kind, digest: [UInt8], _ title: String? = nil, _ way: String? = nil) {
        self.init(kind, Hex.encode(Array(digest.prefix(8))), title, way)
    }

    /// What is named by a text that nobody shall read in the journal.
    package init(_ kind: Kind, secret: String, _ title: String? = nil, _ way: String? = nil) {
        self.init(kind, digest: Digest.sha256(Array(secret.utf8)), title, way)
    }
}

/// Whatever it is called, it is one thing.
extension Subject: Hashable {
    package static func == (one: Subject, other: Subject) -> Bool {
        one.kind == other.kind && one.id == other.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(id)
    }
}

/// A record that requests are about. A turn that reads it alone, makes it, changes it or deletes it tells the journal so.
package protocol Traced: Record {
    var subjects: [Subject] { get }
}

/// Who calls a route, as its platform means it. Who it was in truth may be seen in the request: a browser says so itself.
package enum Audience: String, Sendable, Codable, CaseIterable {
    case app, browser
    case backEnd = "back end"
    /// A client of OAuth: a back end where it proves by a secret who it is, else an app.
    case client
    /// A platform that calls back.
    case platform
}

/// What left a platform other than as an answer: a message to a person, or a call to somebody's back end.
package struct Departure: Sendable, Equatable {
    package enum Kind: String, Sendable, Codable, CaseIterable { case mail, sms, push, callback }

    package let kind: Kind
    /// An address, or the URL of a callback.
    package let to: String
    /// Who brought it, by SMTP; nil for what a platform sent.
    package var from: String?
    /// Subject of a message, purpose of a callback.
    package let title: String
    /// Id in the outbox; nil for a callback.
    package var message: Int?
    /// What a callback was answered with; nil when nobody answered.
    package var status: Int?

    package init(_ kind: Kind, to: String, title: String, message: Int? = nil, status: Int? = nil) {
        (self.kind, self.to, self.title, self.message, self.status) = (kind, to, title, message, status)
    }

    package init(_ sent: SentMessage) {
        let kind: Kind =
            switch sent.message.channel {
            case .mail: .mail
            case .sms: .sms
            case .push: .push
            }
        self.init(kind, to: sent.message.to.address, title: sent.message.subject, message: sent.id)
    }
}
