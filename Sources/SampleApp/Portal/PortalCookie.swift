import HTTP

/// The portal's two cookies. Scripts cannot read them, and they go nowhere but to the portal.
enum PortalCookie: String {
    case login = "portal_login"
    case session = "portal_session"

    /// Value of `Set-Cookie`. Source: RFC 6265 §4.1; SameSite as in RFC 6265bis.
    func set(_ value: String, _ request: Request) -> String {
        "\(rawValue)=\(value); Path=\(request.mount)/portal; HttpOnly; SameSite=Lax"
            + (request.askedOrigin.hasPrefix("https:") ? "; Secure" : "")
    }

    func clear(_ request: Request) -> String { set("", request) + "; Max-Age=0" }
}
