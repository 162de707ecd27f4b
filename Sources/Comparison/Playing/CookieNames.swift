import Essentials
import HTTP

/// Names of cookies that end with the path of their service: with the prefix `__Host-` a cookie has no other path than `/`, so that
/// services at one host are told apart by name. Source: RFC 6265bis §4.1.3.2.
struct CookieNames {
    /// `.w.recorded.oauth`; empty for a service without a path.
    private let recorded: String
    private let ours: String

    /// - Parameter paths: of the service, there and here.
    init(_ paths: (recorded: String, ours: String)) {
        (recorded, ours) = (Self.ending(paths.recorded), Self.ending(paths.ours))
    }

    private static func ending(_ path: String) -> String {
        path.split(separator: "/").map { "." + $0 }.joined()
    }

    /// A field `Cookie` with our names. Source: RFC 6265 §4.2.1.
    func sent(_ field: String) -> String {
        field.split(separator: ";", omittingEmptySubsequences: false)
            .map { renamed(String($0), recorded, ours) }.joined(separator: ";")
    }

    /// An answer of ours with the recorded names.
    func told(_ answer: Stage.Answer) -> Stage.Answer {
        var headers = Headers()
        for field in answer.headers.fields {
            let isCookie = field.name.equalsIgnoringCase("Set-Cookie")
            headers.add(field.name, isCookie ? renamed(field.value, ours, recorded) : field.value)
        }
        return Stage.Answer(
            status: answer.status, headers: headers, body: answer.body, seconds: answer.seconds)
    }

    private func renamed(_ pair: String, _ old: String, _ new: String) -> String {
        guard !old.isEmpty, !new.isEmpty, let sign = pair.firstIndex(of: "="),
            pair[..<sign].hasSuffix(old)
        else { return pair }
        return pair[..<sign].dropLast(old.count) + new + pair[sign...]
    }
}
