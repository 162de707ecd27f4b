import Essentials
import HTTP

/// The two cookies of the mobile app. An app without cookies sends the same values as `Authorization: Bearer`.
enum AppCookie: String {
    /// The session in which a login began.
    case login = "app_login"
    /// The session of a user who is logged in.
    case session = "app_session"

    /// Value of `Set-Cookie`. Source: RFC 6265 §4.1; SameSite as in RFC 6265bis.
    func set(_ value: String, _ request: Request) -> String {
        "\(rawValue)=\(value); Path=\(request.mount); HttpOnly; SameSite=Strict"
            + (request.askedOrigin.hasPrefix("https:") ? "; Secure" : "")
    }

    func value(_ request: Request) -> String? {
        if let header = request.headers["Authorization"], header.prefix(7).asciiLowercased == "bearer " {
            return String(header.dropFirst(7))
        }
        return request.cookie(rawValue)
    }
}
