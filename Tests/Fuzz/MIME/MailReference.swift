import Essentials

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `reference.py` in a process of its own: a line of JSON goes there, a line comes back. It ends with this process, when its input ends.
///
/// Unchecked: the pipes are used by one thread, that of the fuzzer.
final class MailReference: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let script = "Tests/Fuzz/MIME/reference.py"
    /// The one of the acceptance tests, or else the system's.
    private static let interpreters = [".venv/bin/python", "python3"]

    private let question: Int32
    private let answer: Int32
    private var rest: [UInt8] = []

    /// Nil where there is no Python.
    init?() {
        var (there, back) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
        guard pipe(&there) == 0, pipe(&back) == 0 else { return nil }
        // What this process keeps must not stay open in the other one.
        for end in [there[1], back[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let isThere = Self.interpreters.contains { Self.start($0, input: there[0], output: back[1]) }
        close(there[0])
        close(back[1])
        guard isThere else { return nil }
        (question, answer) = (there[1], back[0])
        signal(SIGPIPE, SIG_IGN)
    }

    private static func start(_ interpreter: String, input: Int32, output: Int32) -> Bool {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        let words = [interpreter, Self.script].map { (word: String) in strdup(word) }
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        return posix_spawnp(&id, interpreter, &actions, nil, words + [nil], environ) == 0
    }

    /// - Returns: what differs, in a sentence; nothing when all is the same.
    func difference(_ reading: some Encodable) throws -> String {
        var line = Array(try JSONEncoder().encode(reading))[...]
        line.append(10)
        while !line.isEmpty {
            let sent = line.withUnsafeBytes { write(question, $0.baseAddress, $0.count) }
            guard sent > 0 else { throw Failure(description: "its input is closed") }
            line = line.dropFirst(sent)
        }
        return try nextLine()
    }

    private func nextLine() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let count = read(answer, &buffer, buffer.count)
            guard count > 0 else { throw Failure(description: "it has ended") }
            rest += buffer[..<count]
        }
    }
}
