import Essentials
import HTTP
import OpenID
import PlatformKit

/// An identity provider that registers users without a browser. In the place of the vendor's scripts stand answers.
///
/// Source: Token Server documentation, topics “custom registration” and “QR code registration”.
struct CustomProvider: Sendable, Equatable {
    enum Kind: String, Codable, Sendable, CaseIterable {
        /// `complete` with `{"userId"}` registers that user.
        case direct
        /// A portal trades a user id for an identifier (`backchannel`), the app trades the identifier for tokens (`complete`).
        case qr
        /// What it answers stands in ``CustomProvider/answers``.
        case scripted
    }

    enum Step: String, Codable, Sendable, CaseIterable { case `init`, complete, backchannel }

    /// One answer of a scripted provider.
    struct Answer: Codable, Sendable, Equatable {
        var step: Step
        /// Given to requests whose `data` are equal; without it to all.
        var when: JSONValue?
        /// 2000 to 2999 success, 4000 to 4999 try again, 5000 to 5999 cannot be helped.
        var status: Int
        var data: JSONValue?
        /// Who is registered by a successful `complete`.
        var userID: String?

        enum CodingKeys: String, CodingKey {
            case step, when, status, data
            case userID = "user_id"
        }
    }

    var id: String
    var kind: Kind
    var isEnabled = true
    /// The first that fits is given.
    var answers: [Answer] = []

    init(_ id: String, _ kind: Kind) { (self.id, self.kind) = (id, kind) }

    /// Those of a world whose fixtures name none.
    static let builtIn = [CustomProvider("understudy-direct", .direct), CustomProvider("understudy-qr", .qr)]
}

extension CustomProvider: Codable {
    static let setting = Setting<[CustomProvider]>("onegini.custom_registration")

    enum CodingKeys: String, CodingKey {
        case id, kind
        case isEnabled = "enabled"
        case answers
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .id), try values.decode(Kind.self, forKey: .kind))
        try values.read(.isEnabled, into: &isEnabled)
        try values.read(.answers, into: &answers)
    }
}

/// What a provider says to one step.
struct CustomOutcome: Sendable, Equatable {
    var status: Int
    var data: JSONValue?
    /// Who is to be registered; nil when nobody is.
    var userID: String?

    var isSuccess: Bool { 2000...2999 ~= status }
    var mayBeTriedAgain: Bool { 4000...4999 ~= status }

    /// The user id in `{"userId": "…"}`; the object may also come as JSON text, as the vendor's SDK sends it.
    static func userID(in data: JSONValue?) -> String? { text("userId", in: data) }

    /// A text of an object, or of an object in a text.
    static func text(_ name: String, in data: JSONValue?) -> String? {
        var object = data
        if let text = data?.string {
            do {
                object = try JSONValue(parsing: Array(text.utf8))
            } catch {
                return nil  // Text that is no JSON has no members.
            }
        }
        guard let text = object?[name]?.string, !text.isEmpty, text.utf8.count <= 255 else { return nil }
        return text
    }

    /// HTTP says that the step was taken; the status says how it went.
    func response(_ members: [String: JSONValue] = [:]) -> Response {
        var members = members
        members["status"] = .integer(status)
        members["data"] = data
        return .oauth(.object(members))
    }
}
