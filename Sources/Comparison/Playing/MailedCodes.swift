import Essentials
import HTTP

/// Codes and links that people got by mail or text message, as a recording sends them.
struct MailedCodes {
    /// Names of what carries them.
    private static let names: Set = [
        "code", "passcode", "otp", "pin", "token", "activationcode", "activation_code", "verification_code",
        "verificationcode", "confirmation_code", "tan", "smscode", "otpvalue", "otp_code", "otpcode", "totp",
    ]

    /// Recorded codes that an answer accepted, or called too late: they were right.
    private let accepted: Set<String>

    init(in exchanges: [Exchange]) {
        var accepted: Set<String> = []
        for exchange in exchanges where exchange.response.status < 400 || exchange.response.status == 408 {
            accepted.formUnion(Self.codes(in: exchange.request))
        }
        self.accepted = accepted
    }

    private static func codes(in request: RecordedRequest) -> [String] {
        let content = request.content
        let pairs = Form(WebAddress(request.url)?.query ?? "").pairs + content.fields.pairs
        // In other bodies none is found by its name.
        return pairs.filter { isCode($0.name) }.map(\.value) + (content.json.map { codes(in: $0, "") } ?? [])
    }

    private static func codes(in json: SpelledJSON, _ name: String) -> [String] {
        switch json {
        case .object(let members): members.flatMap { codes(in: $0.value, $0.name) }
        case .array(let elements): elements.flatMap { codes(in: $0, name) }
        case .string(let text): isCode(name) ? [text] : []
        default: []
        }
    }

    private static func isCode(_ name: String) -> Bool { names.contains(name.asciiLowercased) }

    enum Found {
        /// It is no code, or one that was wrong on purpose.
        case asRecorded
        /// It was refused there, as wrong or as too late: nobody invents one that long, but tests do.
        case refused
        /// Somebody typed it, it was right there, and nothing like it was sent here.
        case foreign
        /// - Parameter isOneOfSeveral: whether more of the kind wait in the same mailbox.
        case ours(String, isOneOfSeveral: Bool = false)
    }

    /// - Parameters:
    ///   - taken: codes of ours that stand for other recorded ones, and how often.
    ///   - times: of the requests that what carries the code is about, in milliseconds of the world's clock: what was sent then comes before
    ///     what is newer.
    func code(
        _ name: String, _ recorded: String, from stage: Stage, taken: [String: Int],
        times: @autoclosure () -> Set<Int> = []
    ) throws -> Found {
        guard Self.isCode(name), recorded.utf8.count >= 4 else { return .asRecorded }
        var left = taken
        let fresh = try stage.sent().filter { sent in
            // A code works once, so that another one is needed where it was used: that of an authenticator app, perhaps.
            guard let value = Self.value(of: sent, like: recorded, name) else { return false }
            guard let count = left[value], count > 0 else { return true }
            left[value] = count - 1
            return false
        }
        // Few requests have a code, and fewer one of several.
        let known = fresh.count > 1 ? times() : []
        let meant = fresh.first { $0.at.map { known.contains($0.unixMilliseconds) } ?? false } ?? fresh.first
        let ours = meant.flatMap { Self.value(of: $0, like: recorded, name) }
        let isMade = recorded.utf8.count >= Self.madeLength && Shape(recorded).isOpaque
        guard accepted.contains(recorded) else {
            if ours == recorded { return .ours(Self.otherwise(recorded)) }
            return ours != nil && isMade ? .refused : .asRecorded
        }
        guard let ours, let meant else { return isMade ? .asRecorded : .foreign }
        let others = fresh.contains { other in
            !other.isUsed && other.to == meant.to && Self.value(of: other, like: recorded, name) != ours
        }
        return .ours(ours, isOneOfSeveral: others)
    }

    private static func value(of sent: Stage.Sent, like recorded: String, _ name: String) -> String? {
        if let code = sent.code, code.utf8.count == recorded.utf8.count { return code }
        guard let query = sent.link.flatMap({ WebAddress($0)?.query }) else { return nil }
        return Form(query)[name].flatMap { $0.utf8.count == recorded.utf8.count ? $0 : nil }
    }

    /// Characters of codes that links carry and nobody types.
    private static let madeLength = 16

    /// A wrong code that happens to be right here.
    private static func otherwise(_ code: String) -> String {
        String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
    }
}
