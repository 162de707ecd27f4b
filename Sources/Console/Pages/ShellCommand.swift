import Essentials
import HTTP
import PlatformKit

/// A request as a command for a shell.
struct ShellCommand {
    let text: String

    /// Nil where the journal does not have the whole body as text.
    init?(_ exchange: JournalEntry.Exchange, origin: String) {
        guard exchange.requestBody.isWhole, exchange.requestBody.isText else { return nil }
        // A method may hold what means something to a shell: RFC 9110 §5.6.2.
        let isPlain = exchange.method.utf8.allSatisfy(\.isLetterOrHyphen)
        let method = isPlain ? exchange.method : Self.quoted(exchange.method)
        let verb = exchange.method == "HEAD" ? "-I" : "-X \(method)"
        let headers = exchange.requestHeaders.fields.filter {
            !Self.ofTheConnection.contains($0.name.asciiLowercased)
        }
        text =
            (["curl \(verb) \(Self.quoted(exchange.url(from: origin)))"]
            + headers.map { "-H " + Self.quoted("\($0.name): \($0.value)") }
            + (exchange.requestBody.text.map { ["--data-raw " + Self.quoted($0)] } ?? []))
            .joined(separator: " \\\n  ")
    }

    /// Header fields that are curl's business.
    private static let ofTheConnection: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "transfer-encoding", "expect",
    ]

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}

extension UInt8 {
    fileprivate var isLetterOrHyphen: Bool {
        0x41...0x5A ~= self || 0x61...0x7A ~= self || self == UInt8(ascii: "-")
    }
}

extension JournalEntry.Exchange {
    /// What the client asked for, as far as the journal knows.
    ///
    /// - Parameter origin: of the reader; its scheme is taken, and its host where the client named none.
    func url(from origin: String) -> String {
        let scheme = origin.prefix { $0 != ":" }
        return (requestHeaders["Host"].map { "\(scheme)://\($0)" } ?? origin) + target
    }
}

extension JournalEntry.Body {
    var isWhole: Bool { !isCut }
    var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }
}
