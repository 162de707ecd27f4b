/// What a recording tells of the apps with Onegini's SDK in it.
struct OneginiPlan: Sendable {
    /// Transactions whose data were signed by another key than the enrolled one, as their portals heard.
    private(set) var wrongSignatures: Set<String> = []

    static let mount = "oauth"

    init(_ exchanges: [Exchange], _ bases: Bases) {
        for exchange in exchanges {
            guard let place = bases.place(of: exchange.request.url), place.mount == Self.mount,
                place.path.contains("/authenticate/transaction/"),
                let told = SpelledJSON(exchange.response.body), told["signature_verified"] == .boolean(false),
                let id = told["transaction_id"]?.string
            else { continue }
            wrongSignatures.insert(id)
        }
    }
}

/// What a request of such an app says that only the app could make.
enum OneginiOrder {
    /// The response to the challenge of a registration.
    case registration(identifier: String, response: String)
    /// - Parameter profile: nil where the enrolment names it.
    case key(enrollment: String?, profile: String?, isOpenPGP: Bool)
    /// An encrypted answer to a question.
    case answer(transaction: String)

    init?(_ exchange: Exchange, _ path: String) {
        guard let asked = SpelledJSON(exchange.request.body) else { return nil }
        let segments = path.split(separator: "/").map(String.init)
        guard segments.starts(with: ["sdk", "v1"]) else { return nil }
        switch (segments.dropFirst(2).first, segments.count) {
        case ("clients", 3):
            guard let identifier = asked["identifier"]?.string,
                let response = asked["ocra_response"]?.string
            else { return nil }
            self = .registration(identifier: identifier, response: response)
        case ("mobile-auth", 4...):
            guard let order = Self.mobile(Array(segments.dropFirst(3)), asked) else { return nil }
            self = order
        default: return nil
        }
    }

    private static func mobile(_ segments: [String], _ asked: SpelledJSON) -> OneginiOrder? {
        switch (segments.first, segments.last, segments.count) {
        case ("enroll", _, 1), ("enrollments", "keys", 3):
            guard asked["public_key"]?.string != nil || asked["jwk"] != nil else { return nil }
            return .key(
                enrollment: segments.count == 3 ? segments[1] : nil, profile: asked["profile_id"]?.string,
                isOpenPGP: asked["jwk"] == nil)
        case ("otp", "answer", 3), ("push", "answer", 3):
            return asked["message"]?.string == nil ? nil : .answer(transaction: segments[1])
        default: return nil
        }
    }
}
