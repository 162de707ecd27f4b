import Crypto
import Essentials
import PlatformKit

/// The passkeys of a phone: a software authenticator that belongs to it. It speaks to nobody and is asked by whoever holds the ceremony, a
/// page or a test, so that it is no ``PhoneApp``; what it keeps is shown like an app.
enum Passkeys {
    static let platform = "passkeys"
    static let title = "Passkeys"

    /// Nil for a phone without any.
    static func shown(on phone: String, in world: World) throws -> ShownApp? {
        guard let kept = try AuthenticatorStore(database: world.database).authenticator(ofPhone: phone) else {
            return nil
        }
        let facts = kept.credentials.map { credential in
            ConsoleRecord.Fact(
                "\(credential.userName) at \(credential.relyingPartyID)",
                "\(Base64URL.encode(credential.id)), used \(credential.signCount.counted("time"))")
        }
        return ShownApp(
            platform: platform, title: title, isEnrolled: true,
            facts: [.init("Authenticator", kept.id)] + facts, actions: [])
    }
}

extension Phone {
    /// What it does when somebody asks for a passkey.
    package struct Consent: Sendable, Equatable {
        /// Seconds until it answers.
        package var delay = 0
        /// Why the browser hears `NotAllowedError`: a sentence's beginning.
        package var refusal: String?
    }

    /// By its policy. Whoever asks a phone without one is the person who holds it; a wrong PIN stays between person and phone, so that after
    /// it there is a right one.
    package var consent: Consent {
        switch policy {
        case .manual, .approve, .wrongPIN: Consent()
        case .approveAfter(let seconds): Consent(delay: seconds)
        case .decline: Consent(refusal: "the person declined")
        case .declineAfter(let seconds): Consent(delay: seconds, refusal: "the person declined")
        case .ignore: Consent(refusal: "nobody answered, and time ran out")
        }
    }
}
