package import HTTP

/// What those have to know who look in from outside of the platforms: the control API, the console, and the few places of platforms
/// that tell as much. Asked for where other machines reach the program.
package struct ControlToken: Sendable {
    package enum Verdict: Sendable, Equatable {
        case right, missing, wrong
    }

    /// Nil when none is asked for.
    private let text: String?

    package init(_ text: String?) { self.text = text }

    /// Everybody may look.
    package static let none = ControlToken(nil)

    package var isAsked: Bool { text != nil }

    /// Of the cookie that a page of the console brings, or else the header field `Authorization: Bearer`.
    package func verdict(on request: Request) -> Verdict {
        if allowsPage(request) { return .right }
        guard let bearer = bearer(request) else { return .missing }
        return isToken(bearer) ? .right : .wrong
    }

    private static let cookie = "understudy_control"

    /// Whether the request brings the token as a cookie, or none is asked for.
    package func allowsPage(_ request: Request) -> Bool {
        guard let text else { return true }
        return request.cookie(Self.cookie).map { isSame($0, Self.cookieValue(text)) } ?? false
    }

    /// Whether `given` is the token, in a time that does not tell how much of it is right.
    package func isToken(_ given: String) -> Bool { text.map { isSame(given, $0) } ?? true }

    /// The cookie that a browser keeps; no script reads it and no other site sends it.
    package func setCookie(isSecure: Bool) -> String {
        "\(Self.cookie)=\(Self.cookieValue(text ?? "")); Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    /// A header field's value, `hidden` in the place of the token and of the cookie that stands for it: `Bearer hidden`.
    package func hidden(in value: String) -> String {
        guard let text else { return value }
        let cookie = "\(Self.cookie)=\(Self.cookieValue(text))"
        return value.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.split(separator: " ", omittingEmptySubsequences: false).map { word in
                word == text ? "hidden" : word == cookie ? "\(Self.cookie)=hidden" : String(word)
            }.joined(separator: " ")
        }.joined(separator: ";")
    }

    /// Source: RFC 6750 §2.1.
    private func bearer(_ request: Request) -> String? {
        guard let value = request.headers["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, String(parts[0]).equalsIgnoringCase("Bearer") else { return nil }
        return String(parts[1])
    }

    /// Source: RFC 6265 §4.1.1 allows fewer bytes in a cookie than a token may have.
    private static func cookieValue(_ token: String) -> String {
        token.utf8.map { byte in
            let isPlain = Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
            return isPlain && byte < 0x80 ? String(Unicode.Scalar(byte)) : "-\(byte)-"
        }.joined()
    }

    private func isSame(_ given: String, _ expected: String) -> Bool {
        let (given, expected) = (Array(given.utf8), Array(expected.utf8))
        var difference = given.count ^ expected.count
        for index in given.indices {
            difference |= Int(given[index] ^ (expected.isEmpty ? 0 : expected[index % expected.count]))
        }
        return difference == 0
    }
}
