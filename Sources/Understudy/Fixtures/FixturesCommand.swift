import Essentials
import HTTP
import HTTPClient
import PlatformKit
import Platforms

/// `fixtures`: fixture files by hand.
enum FixturesCommand {
    private static let starterName = "understudy.json"

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        switch action {
        case "check": return CheckFixtures(asJSON: invocation.flag(.json), terminal).run(arguments)
        case "export": try export(invocation, terminal)
        case "import": return try importing(arguments, invocation, terminal)
        case "carry": try carry(arguments[0])
        default: try begin(arguments, invocation, terminal)
        }
        return 0
    }

    /// - Parameter arguments: a platform and a file, each if it is there.
    private static func begin(_ arguments: [String], _ invocation: Invocation, _ terminal: Terminal) throws {
        let platform = arguments.first.flatMap { StarterFile.platforms.contains($0) ? $0 : nil }
        let rest = arguments.dropFirst(platform == nil ? 0 : 1)
        guard rest.count < 2 else {
            throw UsageError(
                "fixtures init: there is no platform “\(arguments[0])”, only \(StarterFile.platforms.joined(separator: ", "))"
            )
        }
        let isPrinted = rest.first == "-"
        let file = isPrinted ? starterName : rest.first ?? starterName
        guard isPrinted || !FileManager.default.fileExists(atPath: file) else {
            throw Failure("\(file) exists already; name another file, or remove it first")
        }
        let text = try platform.map { try StarterFile.text(file, of: $0) } ?? StarterFile.text(file)
        if isPrinted { return terminal.write(text) }
        try write(Array(text.utf8), to: file)
        if invocation.flag(.json) { return terminal.write(JSONText.line(["file": file])) }
        terminal.print("wrote \(file); start with: understudy serve --fixtures \(file)")
    }

    private static func export(_ invocation: Invocation, _ terminal: Terminal) throws {
        let response = try ControlAPI(invocation, terminal).call(.get, "/fixtures")
        guard let file = invocation.text(.output), file != "-" else { return terminal.write(response.text) }
        try write(response.body, to: file)
    }

    /// Prints fixtures made of other programs' files, or writes them, and says on standard error what had no place.
    private static func importing(_ paths: [String], _ invocation: Invocation, _ terminal: Terminal) throws
        -> Int32
    {
        let files = try paths.map { ($0, try BoundedFile.bytes(at: $0, limit: FixtureFiles.limit)) }
        let made = try FixtureImport(files)
        let file = invocation.text(.output).flatMap { $0 == "-" ? nil : $0 }
        let found = try made.findings(file: file ?? "fixtures")
        if let file { try write(Array(made.text.utf8), to: file) } else { terminal.write(made.text) }
        for line in made.notes.map({ "note: " + $0 }) + found.remarks + found.mistakes {
            terminal.complain(line)
        }
        guard found.mistakes.isEmpty else { return 1 }
        if let file { terminal.print("wrote \(file); start with: understudy serve --fixtures \(file)") }
        return 0
    }

    /// Makes the built-in world anew, also when this program carries it already.
    private static func carry(_ program: String) throws {
        let worlds = try FixtureCheck.load(FixtureFiles.builtIn())
        do {
            let mode = try FileManager.default.attributesOfItem(atPath: program)[.posixPermissions]
            let file = Data(
                try BoundedFile.bytes(at: program, limit: 1 << 30, of: "a program", isPlain: true))
            try write([UInt8](CarriedWorld.put(worlds.content, behind: file)), to: program)
            if let mode {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: program)
            }
        } catch let error as CocoaError {
            throw Failure("\(program): \(error.sentence)")
        }
    }

    private static func write(_ bytes: [UInt8], to file: String) throws {
        do {
            try Data(bytes).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw Failure("cannot write \(file): \(error.sentence)")
        }
    }
}
