import Foundation

/// The program `gpg` with a home folder of its own, which goes when this value goes.
final class GnuPG {
    struct Failure: Error, CustomStringConvertible {
        let arguments: [String]
        let log: String
        var description: String { "gpg \(arguments.joined(separator: " ")): \(log)" }
    }

    static let program = ["/usr/bin/gpg", "/usr/local/bin/gpg", "/opt/homebrew/bin/gpg"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static let reason = "gpg is not installed: script/bootstrap --tests installs it"

    let home: URL

    /// The path is short: the agent's socket lies in it.
    init() throws {
        home = URL(filePath: "/tmp/understudy-gpg-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        let tool = (Self.program ?? "").replacing("/gpg", with: "/gpgconf")
        _ = try? run(tool, ["--kill", "all"], input: [])
        // What a test leaves in the folder for temporary files does no harm.
        try? FileManager.default.removeItem(at: home)
    }

    /// Runs `gpg` without questions and gives what it wrote.
    @discardableResult
    func callAsFunction(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
        try self(arguments, input: input)
    }

    @discardableResult
    func callAsFunction(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let quiet = [
            "--batch", "--yes", "--quiet", "--no-tty", "--pinentry-mode", "loopback", "--passphrase", "",
            "--trust-model", "always",
        ]
        return try run(Self.program ?? "gpg", quiet + arguments, input: input)
    }

    /// The text that `gpg` wrote.
    func text(_ arguments: String..., input: [UInt8] = []) throws -> String {
        try String(decoding: self(arguments, input: input), as: UTF8.self)
    }

    /// The path of a new file in the home folder with these bytes.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = home.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Standard streams are files: nothing can be full and nothing can be broken.
    private func run(_ program: String, _ arguments: [String], input: [UInt8]) throws -> [UInt8] {
        let (output, log) = (try file("output", []), try file("log", []))
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ["GNUPGHOME": home.path, "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle(forReadingAtPath: try file("input", input))
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, log: try String(contentsOfFile: log, encoding: .utf8))
        }
        return try [UInt8](Data(contentsOf: URL(filePath: output)))
    }
}
