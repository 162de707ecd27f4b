import Crypto
import Essentials

/// Which of the two ways a device uses: a scanned code, or a push.
enum HandlingWay: Sendable {
    case otp, push

    var words: String { self == .otp ? "OTP" : "push" }
}

// The checks of a device's call, numbered as in the device protocol.
extension MobileTransaction {
    /// 6: of the right method, for this device, not expired.
    func refusal(ofUseBy profile: Profile, _ way: HandlingWay, at now: Date) -> HandlingRefusal? {
        let fits = way == .otp ? method == .otp : method.isPush
        guard fits else { return .otherMethod(id, method, expected: way.words) }
        if way == .push, !isFor(profile) { return .forAnother(id) }
        guard state(at: now) == .expired else { return nil }
        return .expired(id, secondsAgo: now.seconds(since: expiresAt))
    }

    /// 7
    func accepts(_ code: String) -> Bool {
        guard let otp else { return false }
        return constantTimeEqual(Array(code.utf8), Array(otp.utf8))
    }

    /// 9: whether it can be fetched: once (M1).
    func refusal(ofFetchBy profile: Profile) -> HandlingRefusal? {
        guard stored == .fetched else { return nil }
        return isFor(profile) ? .alreadyFetched(id) : .fetchedElsewhere(id)
    }

    /// 10: whether it waits for an answer of this device and profile (M10).
    func refusal(ofAnswerBy profile: Profile) -> HandlingRefusal? {
        switch stored {
        case .initialized: .notFetched(id)
        case .fetched: isFor(profile) ? nil : .fetchedElsewhere(id)
        default: .alreadyAnswered(id, stored)
        }
    }
}
