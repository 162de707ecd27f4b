import Essentials
import Synchronization

@testable import Understudy

/// A terminal that remembers what was said.
final class Recorder: Sendable {
    private let said = Mutex((out: "", error: ""))
    private let environment: [String: String]

    init(_ environment: [String: String] = [:]) { self.environment = environment }

    var out: String { said.withLock { $0.out } }
    var error: String { said.withLock { $0.error } }

    var terminal: Terminal {
        Terminal(
            write: { [self] text in said.withLock { $0.out += text } },
            writeError: { [self] text in said.withLock { $0.error += text } },
            environment: environment, isColoured: false)
    }
}

/// Runs one command line and says how it ended.
func understudy(
    _ arguments: String..., environment: [String: String] = [:]
) -> (status: Int32, out: String, error: String) {
    let recorder = Recorder(environment)
    let status = Program.run(arguments, recorder.terminal)
    return (status, recorder.out, recorder.error)
}

/// A folder that is gone when the body returns.
func withFolder(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/understudy-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
}
