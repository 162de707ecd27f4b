import HTTP
import Sockets

/// `ready`: a question to a server, answered by the exit status.
enum Ready {
    /// What another program at this address would not say, even if it answers every path with 200.
    private struct Answer: Decodable {
        let status: String
        let version: String
    }

    /// Seconds between two questions.
    private static let pause = 0.05

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let timeout = try invocation.seconds(.timeout) ?? 30
        let deadline = System.uptime + timeout
        while true {
            do {
                let left = max(0.1, deadline - System.uptime)
                let api = try ControlAPI(invocation, terminal, timeout: left)
                let answer = try api.read(Answer.self, api.call(.get, "/ready"))
                if invocation.flag(.json) {
                    terminal.write(
                        JSONText.line(["status": answer.status, "url": api.base, "version": answer.version]))
                } else {
                    terminal.print("ready \(api.base)")
                }
                return 0
            } catch let failure as Failure {
                guard invocation.flag(.keepTrying), System.uptime + pause < deadline else { throw failure }
                Process.pause(seconds: pause)
            }
        }
    }
}
