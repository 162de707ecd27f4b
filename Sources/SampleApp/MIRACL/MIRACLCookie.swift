import HTTP

/// The two cookies of the page that signs in at MIRACL. Scripts cannot read them.
enum MIRACLCookie: String {
    case login = "miracl_login"
    case session = "miracl_session"

    /// Value of `Set-Cookie`. They come along when MIRACL sends the browser back, which is why `SameSite` is `Lax`. Source: RFC 6265 §4.1;
    /// SameSite as in RFC 6265bis.
    func set(_ value: String, _ request: Request) -> String {
        "\(rawValue)=\(value); Path=\(request.mount.isEmpty ? "/" : request.mount); HttpOnly; SameSite=Lax"
            + (request.askedOrigin.hasPrefix("https:") ? "; Secure" : "")
    }

    func clear(_ request: Request) -> String { set("", request) + "; Max-Age=0" }
}
