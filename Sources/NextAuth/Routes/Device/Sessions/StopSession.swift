import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    struct Stop: Decodable {
        let reason: String?
    }

    /// `POST /device/v1/sessions/{id}/stop`: the app logs out.
    ///
    /// - Request: `{"reason"?: "USER"|"INACTIVITY"|"APPLOGIN_TIMEOUT"}`, the first when left out.
    /// - Response: `200 {"state": "DONE"}`. The end of an AppLogin erases the cached second factor.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `SESSION_NOT_FOUND`.
    /// - Source: ours.
    func stopSession(_ request: Request) throws -> Response {
        try change(for: request) { instance, turn in
            let word = try request.json(Stop.self).reason ?? SessionEnding.user.rawValue
            guard let ending = SessionEnding(rawValue: word), SessionEnding.ofApp.contains(ending) else {
                let known = SessionEnding.ofApp.map(\.rawValue).joined(separator: ", ")
                throw DeviceRefusal.malformed(
                    "The reason is “\(word.prefix(40))”, an app gives one of \(known).")
            }
            let login = try instance.requireSession(request.parameter("id"), at: turn)
            try logins.end(login, ending, isByDevice: true, in: turn)
        }
        let answer: JSONValue = ["state": "DONE"]
        return try .json(answer)
    }
}
