import Sockets
import Testing

@testable import Understudy

@Suite struct ChildProcessTests {
    private func status(_ command: String...) throws -> Int32 {
        let child = try ChildProcess(command, environment: ["PATH": "/usr/bin:/bin", "GREETING": "good day"])
        let deadline = System.uptime + 20
        while System.uptime < deadline {
            if let status = child.statusIfEnded() { return status }
            Process.pause(seconds: 0.005)
        }
        return -1
    }

    @Test(arguments: [0, 1, 7, 255])
    func `the status of the command is ours`(_ code: Int32) throws {
        #expect(try status("sh", "-c", "exit \(code)") == code)
    }

    // POSIX, Shell Command Language 2.8.2: greater than 128 for a signal; shells use 128 + its number.
    @Test(arguments: [("TERM", 143), ("KILL", 137), ("PIPE", 141)])
    func `a signal that ends the command adds 128`(_ name: String, _ expected: Int32) throws {
        #expect(try status("sh", "-c", "kill -\(name) $$; sleep 5") == expected)
    }

    @Test func `the command gets its environment and its arguments untouched`() throws {
        #expect(
            try status("sh", "-c", #"test "$GREETING" = "good day" && test "$1" = "a  'b'""#, "sh", "a  'b'")
                == 0)
    }

    // POSIX, Shell Command Language 2.8.2: 127 not found, 126 found and not executable.
    @Test func `a command that cannot be run ends as in a shell`() {
        let missing = #expect(throws: Failure.self) { try ChildProcess(["/nonesuch"], environment: [:]) }
        let passive = #expect(throws: Failure.self) { try ChildProcess(["/etc/passwd"], environment: [:]) }

        #expect(missing?.status == 127)
        #expect(passive?.status == 126)
    }
}
