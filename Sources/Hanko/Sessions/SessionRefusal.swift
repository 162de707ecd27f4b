import Essentials
import PlatformKit

/// Why a session token was not accepted. The answer of each endpoint says no more than that it was not.
struct SessionRefusal: Error, Sendable, Equatable {
    let explanation: String
    /// The session lay idle too long: the client's cookie goes.
    private(set) var isIdle = false
    /// No key of this world signed the token, or it has not the claims of a session: perhaps it is one of something else.
    private(set) var isForeign = false

    private init(_ explanation: String) { self.explanation = explanation }

    /// Why none of several was.
    init(all refusals: [SessionRefusal]) {
        explanation = refusals.map(\.explanation).joined(separator: " ")
        isIdle = refusals.contains(where: \.isIdle)
    }
}

extension SessionRefusal {
    /// Neither a header nor a cookie carried one.
    static let absent = SessionRefusal(
        "The request carries no session: neither “Authorization: Bearer …” nor the session cookie.")

    /// An `Authorization` header of another scheme than `Bearer`.
    static func otherScheme(_ scheme: String) -> SessionRefusal {
        SessionRefusal("The Authorization header says “\(scheme.prefix(40))”, expected “Bearer”.")
    }

    /// Not a JWT of ours; the text says how.
    static func malformed(_ reason: String) -> SessionRefusal {
        foreign("The session token is not a JWT of this server: \(reason).")
    }

    static func unknownKey(_ kid: String) -> SessionRefusal {
        foreign(
            "The session token was signed with the key “\(kid.prefix(60))”, which is not a key of this world."
        )
    }

    static let withoutSessionID = foreign(
        "The session token lacks the claim session_id, without which 2.x accepts none.")

    private static func foreign(_ explanation: String) -> SessionRefusal {
        var refusal = SessionRefusal(explanation)
        refusal.isForeign = true
        return refusal
    }

    /// A token of something else.
    ///
    /// - Parameter words: what it is and where it belongs.
    static func misplaced(_ words: String) -> SessionRefusal {
        SessionRefusal("What came is not a session token of this server: \(words).")
    }

    static let signatureWrong = SessionRefusal(
        "The signature of the session token is wrong; the token was changed on its way.")

    static func expired(seconds: Int, now: Date) -> SessionRefusal {
        SessionRefusal(
            "The session token expired \(seconds) s ago; the world's clock says \(Timestamp.text(now)).")
    }

    static func notYetValid(seconds: Double, now: Date) -> SessionRefusal {
        SessionRefusal(
            "The session token is valid only in \(Int(saturating: seconds, .up)) s (nbf); the world's clock says \(Timestamp.text(now))."
        )
    }

    /// No such row: signed out, pushed out by newer sessions, or of another world.
    ///
    /// - Parameters:
    ///   - world: the other world that opened it, if that is known.
    ///   - oddity: what else is strange about the token.
    static func removed(_ id: String, world: String? = nil, oddity: String? = nil) -> SessionRefusal {
        let why =
            world.map { "does not exist here: it is one of the world “\($0)”; compare the two base URLs." }
            ?? "does not exist any more: signed out, pushed out by newer ones, or of another world."
        return SessionRefusal(
            "The session \(id.prefix(60)) \(why)"
                + (oddity.map { " Nor did this server issue such a token: \($0)." } ?? ""))
    }

    static func idle(seconds: Double, timeout: Double) -> SessionRefusal {
        var refusal = SessionRefusal(
            "The session lay idle \(Int(saturating: seconds)) s longer than the \(Int(saturating: timeout)) s that session.idle_timeout allows."
        )
        refusal.isIdle = true
        return refusal
    }
}
