import Essentials
import JOSE

// Effects as people write them in a command line or a form, `delay 2s`, and as a list shows them.
extension FaultEffect {
    /// What each kind takes, and what that does, for help and forms.
    package static let forms: [(kind: CodingKeys, form: String, does: String)] = [
        (.answer, "503", "answers with this status, in the platform's own form"),
        (.delay, "2s, 1s..3s", "delays the answer by this time"),
        (
            .drop, "before, after",
            "closes the connection without an answer, before or after the platform acted"
        ),
        (.reset, "before, after", "resets the connection instead"),
        (.truncate, "20", "cuts the answer off after this many bytes of its body"),
        (.trickle, "16/500ms", "sends the body in pieces of this many bytes, with pauses"),
        (.rateLimit, "10/60s", "answers requests beyond this rate with 429 and Retry-After"),
        (.mail, "lost, twice, late:30s", "how mails are delivered"),
        (.sms, "lost, twice, late:30s", "how text messages are delivered"),
        (.push, "lost, twice, late:30s", "how pushes are delivered"),
        (.callback, "lost, twice, late:30s", "how callbacks and webhooks are delivered"),
        (.clockSkew, "1h, -5m", "the device's clock is ahead by this time"),
        (
            .token, "expired, expired:id_token",
            "signs tokens with a flaw; after the colon, only tokens of one kind"
        ),
    ]

    /// What can be wrong with a token.
    package static let flaws = TokenFlaw.allCases.map(\.rawValue)

    /// - Parameter text: as ``forms`` shows it for the kind.
    /// - Returns: nil for what is none; ranges are left to ``FaultRule/check(platforms:at:)``.
    package init?(_ kind: CodingKeys, _ text: String) {
        self.init()
        switch kind {
        case .answer: answer = Int(text).map(Answer.init)
        case .delay: delay = Delay(text)
        case .drop: drop = Ending.Moment(rawValue: text).map(Ending.init)
        case .reset: reset = Ending.Moment(rawValue: text).map(Ending.init)
        case .truncate: truncate = Int(text).map(Truncation.init)
        case .trickle: trickle = Self.rate(text).map(Trickle.init)
        case .rateLimit: rateLimit = Self.rate(text).map(RateLimit.init)
        case .mail: mail = Delivery(text)
        case .sms: sms = Delivery(text)
        case .push: push = Delivery(text)
        case .callback: callback = Delivery(text)
        case .clockSkew: clockSkew = TimeSpan.seconds(text).map(Skew.init)
        case .token: token = Token(text)
        }
        if kinds.isEmpty { return nil }
    }

    /// `10/60s`.
    private static func rate(_ text: String) -> (Int, Double)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), let seconds = TimeSpan.seconds(String(parts[1]))
        else { return nil }
        return (count, seconds)
    }

    /// For a name that is made up.
    var slug: String {
        let kind = (kinds.first?.rawValue ?? "fault").replacing("_", with: "-")
        let delivery = mail ?? sms ?? push ?? callback
        let words = [
            answer.map { String($0.status) }, (drop ?? reset)?.when.rawValue, delivery?.fate.rawValue,
        ]
        let more = (words + [token?.flaw.rawValue.replacing("_", with: "-")]).compactMap(\.self)
        return ([kind] + more).joined(separator: "-")
    }

    /// What it does, in a few words: `answers 503`.
    package var words: String {
        if let answer { return "answers \(answer.status)" + (answer.body == nil ? "" : " with a body") }
        if let delay {
            let spread = delay.spread.map { " to \((delay.seconds + $0).plain) s" } ?? " s"
            return "delays by \(delay.seconds.plain)\(spread)"
        }
        if let drop { return "drops the connection \(drop.when.rawValue) the platform acts" }
        if let reset { return "resets the connection \(reset.when.rawValue) the platform acts" }
        if let truncate { return "ends the body after \(truncate.bytes) bytes" }
        if let trickle { return "sends \(trickle.bytes) bytes each \(trickle.seconds.plain) s" }
        if let rateLimit {
            return "lets \(rateLimit.requests) requests pass each \(rateLimit.seconds.plain) s"
        }
        if let mail { return "mail " + mail.words }
        if let sms { return "text message " + sms.words }
        if let push { return "push " + push.words }
        if let callback { return "callback " + callback.words }
        if let clockSkew { return "device clock \(clockSkew.words)" }
        return token.map { "\($0.kind ?? "token") \($0.flaw.rawValue)" } ?? ""
    }
}

extension FaultEffect.Delay {
    /// `2s`, `1s..3s`.
    fileprivate init?(_ text: String) {
        guard let dots = text.firstRange(of: "..") else {
            guard let seconds = TimeSpan.seconds(text) else { return nil }
            self.init(seconds: seconds)
            return
        }
        guard let least = TimeSpan.seconds(String(text[..<dots.lowerBound])),
            let most = TimeSpan.seconds(String(text[dots.upperBound...])), most > least
        else { return nil }
        self.init(seconds: least, spread: most - least)
    }
}

extension FaultEffect.Delivery {
    /// `lost`, `twice`, `late:30s`.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let fate = parts.first.flatMap({ Fate(rawValue: String($0)) }),
            (parts.count == 2) == (fate == .late)
        else { return nil }
        guard fate == .late else {
            self.init(fate: fate)
            return
        }
        guard let seconds = TimeSpan.seconds(String(parts[1])) else { return nil }
        self.init(fate: fate, seconds: seconds)
    }

    fileprivate var words: String { fate.rawValue + (seconds.map { " by \($0.plain) s" } ?? "") }
}

extension FaultEffect.Token {
    /// `expired`, `expired:id_token`.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard let flaw = parts.first.flatMap(TokenFlaw.init), parts.last?.isEmpty == false else { return nil }
        self.init(flaw: flaw, kind: parts.count == 2 ? parts[1] : nil)
    }
}

extension FaultEffect.Skew {
    var words: String { "\(abs(seconds).plain) s \(seconds < 0 ? "behind" : "ahead")" }
}

extension FaultMatch {
    /// Which requests it means, in a few words: `app POST /token, hits 1 to 2`; empty for all of them.
    package var words: String {
        let place = [platform, method, path].compactMap(\.self).joined(separator: " ")
        var parts = place.isEmpty ? [] : [place]
        if let user { parts.append("user \(user)") }
        if let client { parts.append("client \(client)") }
        switch (from ?? 1, to) {
        case (1, nil): break
        case (1, let last?): parts.append(last == 1 ? "the first" : "the first \(last)")
        case (let first, nil): parts.append("from the \(first)th on")
        case (let first, let last?): parts.append("hits \(first) to \(last)")
        }
        if let probability { parts.append("\((probability * 100).plain) % of them") }
        return parts.joined(separator: ", ")
    }
}

extension Double {
    /// `2` rather than `2.0`.
    var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
