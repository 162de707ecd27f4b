import PlatformKit

/// What a phone does with requests when nobody looks at it.
package enum PhonePolicy: RawRepresentable, Sendable, Codable, Equatable {
    /// Leaves them to whoever has it in their hand.
    case manual
    case approve
    case decline
    /// Does not even fetch them.
    case ignore
    /// After so many seconds of the world's time.
    case approveAfter(seconds: Int)
    case declineAfter(seconds: Int)
    /// So many wrong PINs before the right one.
    case wrongPIN(times: Int)

    /// What can be written, for a sentence.
    package static let forms =
        "manual, approve, decline, ignore, “approve after 3 s”, “decline after 3 s” or “wrong PIN twice, then right”"

    package init?(rawValue text: String) {
        switch text {
        case "manual": self = .manual
        case "approve": self = .approve
        case "decline": self = .decline
        case "ignore": self = .ignore
        case "wrong PIN once, then right": self = .wrongPIN(times: 1)
        case "wrong PIN twice, then right": self = .wrongPIN(times: 2)
        default:
            if let match = text.wholeMatch(of: /(approve|decline) after ([0-9]{1,3}) s/),
                let seconds = Int(match.2), 1...600 ~= seconds
            {
                self =
                    match.1 == "approve"
                    ? .approveAfter(seconds: seconds) : .declineAfter(seconds: seconds)
            } else if let match = text.wholeMatch(of: /wrong PIN ([0-9]{1,2}) times, then right/),
                let times = Int(match.1), 1...20 ~= times
            {
                self = .wrongPIN(times: times)
            } else {
                return nil
            }
        }
    }

    package var rawValue: String {
        switch self {
        case .manual: "manual"
        case .approve: "approve"
        case .decline: "decline"
        case .ignore: "ignore"
        case .approveAfter(let seconds): "approve after \(seconds) s"
        case .declineAfter(let seconds): "decline after \(seconds) s"
        case .wrongPIN(1): "wrong PIN once, then right"
        case .wrongPIN(2): "wrong PIN twice, then right"
        case .wrongPIN(let times): "wrong PIN \(times) times, then right"
        }
    }
}
