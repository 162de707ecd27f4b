import Essentials
import HTTP
import HTTPClient

/// `record`: a server for as long as one command runs, and its journal as a file afterwards.
enum Record {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (file, command) = (invocation.operands[0], Array(invocation.operands.dropFirst()))
        // Before the command has run for an hour.
        try check(file)
        return try Exec.serving(invocation, terminal, running: command, isRecording: true) { banner in
            try write(banner, to: file, terminal)
        }
    }

    private static func check(_ file: String) throws {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        var isFolder = false
        let place = file.hasPrefix("/") && folder.isEmpty ? "/" : folder.isEmpty ? "." : folder
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), isFolder else {
            throw Failure("\(file) cannot be written: there is no folder \(place)")
        }
        if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder {
            throw Failure("\(file) cannot be written: it is a folder")
        }
    }

    private static func write(_ banner: Banner, to file: String, _ terminal: Terminal) throws {
        // A certificate of the user's own need not be one that this machine believes; it is this process.
        let client = HTTPClient(timeout: 60, bodyBytes: 512 * 1024 * 1024, trust: .anything)
        var headers: Headers = [:]
        if let token = banner.controlToken { headers["Authorization"] = "Bearer " + token }
        let answer = try client.send(.get, banner.url + "/_understudy/v1/journal.har", headers: headers)
        guard answer.status == .ok else {
            throw Failure("cannot read the journal: \(answer.status.code) \(answer.text)")
        }
        try PrivateFile.replace(answer.body, at: file, mode: 0o600)
        terminal.complain("understudy: \(file) has the requests of the world default")
        if let lost = answer.headers["X-Understudy-Lost"] {
            terminal.complain(
                "understudy: there was no room for all of them: \(lost) earlier entries of the journal are missing"
            )
        }
    }
}

extension Commands {
    static let record = Command(
        name: "record", summary: "run a command as exec does, and write its requests to a HAR file",
        operands: .fileAndCommand("FILE.har"), options: Option.serveCommand,
        discussion: [
            "With --upstream, the file shows how your app speaks with the real service. It has the requests to the world default, the last",
            "20,000 entries of its journal or 64 MiB, less in little memory, with bodies of up to 4 MiB; it says where more is missing. Tokens,",
            "passwords and cookies of upstreams are masked unless --show-secrets is given. The file is readable by you alone. Exit status: that",
            "of the command, as with exec.",
        ],
        examples: [
            (
                "record login.har --upstream hanko=https://tenant.example -- npm test",
                "what your tests ask the real service"
            )
        ],
        run: Record.run)
}
