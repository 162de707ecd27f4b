import PlatformKit

/// Why a phone did not do what it was asked to.
package struct PhoneRefusal: Refusal, Equatable {
    package enum Kind: Sendable {
        /// There is no such phone, request or message.
        case absent
        case malformed
        /// It does not go with what is there.
        case conflict
        /// The app could not do it, or the platform refused.
        case refused
    }

    package let kind: Kind
    /// What the vendor's SDK reports: `WPNKnownRestApiError.operationExpired`; nil where it would not have been asked.
    package let sdkError: String?
    package let explanation: String

    init(_ kind: Kind, sdkError: String? = nil, _ explanation: String) {
        (self.kind, self.sdkError, self.explanation) = (kind, sdkError, explanation)
    }
}

extension PhoneRefusal {
    /// With the SDK's name of the error in front.
    package var sentence: String { [sdkError, explanation].compactMap(\.self).joined(separator: ": ") }

    static func unknown(_ name: String) -> Self {
        Self(.absent, "There is no phone “\(name.prefix(60))” in this world.")
    }

    static func nameMalformed(_ name: String) -> Self {
        Self(.malformed, "The name of a phone is \(Phone.nameRule), not “\(name.prefix(60))”.")
    }

    static func nameTaken(_ name: String) -> Self {
        Self(.conflict, "There is a phone “\(name)” in this world already.")
    }

    static func tooMany(limit: Int) -> Self {
        Self(.conflict, "A world has at most \(limit) phones; delete one, or reset the world.")
    }

    /// - Parameter what: it does, the rest of a sentence.
    static func busy(_ what: String) -> Self {
        Self(.conflict, "The phone \(what). It goes on by itself; look at it in a moment.")
    }

    static let stillWalking = Self(
        .conflict,
        "The phones that keep themselves alive are still at work on the way to that time; look at the clock in a moment."
    )

    static func keysWanted(_ title: String, waiting: Int) -> Self {
        Self(
            .conflict,
            "The app of \(title) needs a new RSA key, for which \(waiting) phones wait already; try again in a moment."
        )
    }

    /// - Parameter why: a sentence about the picture.
    static func picture(_ why: String) -> Self { Self(.malformed, why) }

    static func textTooLong(_ count: Int, most: Int) -> Self {
        Self(.malformed, "The text of a code has at most \(most) bytes, but this one has \(count).")
    }

    /// - Parameter known: what each app takes, a sentence each.
    static func nothingRecognises(_ text: String, known: [String]) -> Self {
        Self(
            .refused,
            "No app on the phone knows what to do with “\(text.prefix(60))”. "
                + known.joined(separator: " "))
    }

    static func noApp(_ platform: String, known: [String]) -> Self {
        Self(
            .absent,
            "Phones have no app for the platform “\(platform.prefix(60))”, only for \(known.joined(separator: ", "))."
        )
    }

    static func accountMalformed(_ name: String) -> Self {
        Self(.malformed, "The name of an account is \(Phone.nameRule), not “\(name.prefix(60))”.")
    }

    static func tooManyAccounts(_ title: String, limit: Int) -> Self {
        Self(.conflict, "An app of \(title) has at most \(limit) accounts on a phone.")
    }

    /// - Parameter known: what the app can do now.
    static func actionUnknown(_ action: String, of title: String, known: [String]) -> Self {
        let known = known.joined(separator: ", ")
        return Self(
            .malformed,
            "The app of \(title) cannot do “\(action.prefix(60))” now; it can do: \(known.isEmpty ? "nothing by itself" : known)."
        )
    }

    static func signsNothing(_ title: String) -> Self {
        Self(.refused, "The app of \(title) signs no requests to a back end.")
    }

    static func messageUnknown(_ id: String) -> Self {
        Self(.absent, "The inbox has no message “\(id.prefix(60))”.")
    }

    static func mailMissing(_ phone: Phone, _ title: String) -> Self {
        Self(
            .refused,
            "Users of \(title) are known by their email addresses, and the owner of the phone “\(phone.name)” has none; set its mail."
        )
    }

    static func notConfigured(_ title: String) -> Self {
        Self(
            .refused,
            "This world has no application of \(title) that an app could be built for; add one to the fixtures."
        )
    }

    static func accountAbsent(_ account: String, _ title: String, _ phone: Phone) -> Self {
        Self(
            .refused,
            "The app of \(title) on the phone “\(phone.name)” has no account “\(account.prefix(60))”; enrol it, or scan a code for it."
        )
    }

    static func notEnrolled(_ phone: Phone, sdkError: String?) -> Self {
        Self(
            .refused, sdkError: sdkError,
            "The app on the phone “\(phone.name)” is not enrolled; scan an activation code, or enrol it.")
    }

    static func ownerless(_ phone: Phone) -> Self {
        Self(
            .refused,
            "The phone “\(phone.name)” has no owner to enrol; set its owner, or scan a code."
        )
    }

    static func requestUnknown(_ id: String?, _ phone: Phone) -> Self {
        guard let id else {
            return Self(.absent, "No request is waiting on the phone “\(phone.name)”.")
        }
        return Self(
            .absent,
            "The request “\(id.prefix(60))” is not waiting on the phone “\(phone.name)”.")
    }

    static func asked(_ id: String, _ phone: Phone) -> Self {
        Self(
            .malformed,
            "The phone “\(phone.name)” was asked about “\(id.prefix(60))”; the fault “unasked” needs the id of a request that it does not show."
        )
    }

    static func faultUnknown(_ fault: PhoneAnswer.Fault, _ title: String, known: [PhoneAnswer.Fault]) -> Self
    {
        let words = known.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        return Self(
            .malformed,
            "The app of \(title) cannot answer with the fault “\(fault.rawValue)”; it knows \(words.isEmpty ? "none" : words)."
        )
    }

    /// - Parameter why: what there is in its place, the rest of a sentence.
    static func faultUnfit(_ fault: PhoneAnswer.Fault?, _ why: String) -> Self {
        Self(
            .malformed, "The fault “\(fault?.rawValue ?? "")” does not go with this answer: \(why).")
    }

    static func offline(_ phone: Phone, sdkError: String) -> Self {
        Self(.refused, sdkError: sdkError, "The phone “\(phone.name)” is offline.")
    }
}

extension AppName {
    /// - Throws: ``PhoneRefusal`` for what names no account.
    static func check(account: String) throws {
        guard account.isEmpty || WorldName.isOne(account) else {
            throw PhoneRefusal.accountMalformed(account)
        }
    }
}
