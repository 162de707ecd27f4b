import Essentials
import HTTP
import HTTPClient
import Sockets

/// `code TO`: the newest code, or else link, and nothing else on standard output.
enum Code {
    private struct Answer: Decodable {
        let code: String?
        let link: String?
    }

    /// The most that the control API waits in one call.
    private static let longestWait = 60.0

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let api = try ControlAPI(invocation, terminal)
        let deadline = System.uptime + (try invocation.seconds(.wait) ?? 0)
        while true {
            let wait = min(longestWait, max(0, deadline - System.uptime))
            let query = [
                ("to", invocation.operands.first), ("kind", invocation.text(.kind)),
                ("after", try invocation.number(.after, in: 0...Int.max).map { String($0) }),
                ("used", invocation.flag(.used) ? "true" : nil),
                ("wait", wait > 0 ? String((wait * 1000).rounded(.up) / 1000) : nil),
            ]
            let response = try api.answer(.get, "/codes", query: query, waiting: wait)
            if response.status == .notFound, System.uptime < deadline { continue }
            guard response.status == .ok else { throw api.refusal(response, "GET /codes") }
            guard !invocation.flag(.json) else {
                terminal.print(response.text)
                return 0
            }
            let answer = try api.read(Answer.self, response)
            terminal.print(answer.code ?? answer.link ?? "")
            return 0
        }
    }
}
