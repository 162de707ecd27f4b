import Essentials
import HTTP
import PlatformKit

/// One line for each request, for people or for machines. A refusal has its explanation: for people in a second, indented line.
struct AccessLog: Sendable {
    let form: ServeSettings.Log
    /// Takes whole lines, their end included.
    let write: @Sendable (String) -> Void
    var clock = WallClock.system

    func note(_ request: Request, _ response: Response, took: Duration) {
        let parts = took.components
        let milliseconds = Double(parts.seconds) * 1e3 + (Double(parts.attoseconds) / 1e13).rounded() / 100
        let line = Line(
            time: Timestamp.text(clock.now()), peer: request.peer.address, method: request.method.rawValue,
            host: request.headers["Host"] ?? "",
            target: Self.withoutToken(response.loggedTarget ?? request.target),
            status: response.status.code,
            milliseconds: milliseconds, request: response.requestID,
            explanation: response.isRefusal ? response.explanation : nil)
        write(form == .json ? line.json : line.text)
    }

    /// The control token stands in the address of a console page that is opened for the first time; a log is no place for it.
    static func withoutToken(_ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return target }
        let pairs = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        return parts[0] + "?" + pairs.map { $0.hasPrefix("token=") ? "token=…" : $0 }.joined(separator: "&")
    }

    private struct Line: Encodable {
        let time: String
        let peer: String
        let method: String
        let host: String
        let target: String
        let status: Int
        let milliseconds: Double
        let request: String?
        /// Of a refusal.
        let explanation: String?

        var text: String {
            "\(time) \(status) \(method) \(Columns.plain(host + target)) \(milliseconds) ms, \(peer)\n"
                + (explanation.map { "    \(Columns.plain($0))\n" } ?? "")
        }

        var json: String { JSONText.line(self) }
    }
}
