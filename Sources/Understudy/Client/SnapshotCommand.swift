import Essentials
import HTTP
import HTTPClient

/// `snapshot`: moments of a world to go back to.
enum SnapshotCommand {
    private struct Snapshot: Decodable {
        let name: String
        let takenAt: String
    }

    private struct List: Decodable {
        let snapshots: [Snapshot]
        let damaged: [Damaged]?
    }

    private struct Damaged: Decodable {
        let name: String
        let reason: String
    }

    /// Bytes of a file; the server takes no more.
    private static let limit = 64 * 1024 * 1024

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        let path = arguments.first.map { "/snapshots/" + $0.percentEncoded } ?? "/snapshots"
        switch action {
        case "save":
            let body = arguments.first.map { "{\"name\":" + JSONText.value($0) + "}" } ?? "{}"
            let response = try api.call(.post, "/snapshots", json: Array(body.utf8))
            if invocation.flag(.json) {
                terminal.print(response.text)
            } else {
                terminal.print(try api.read(Snapshot.self, response).name)
            }
        case "restore":
            let clock = invocation.flag(.keepClock) ? "keep" : nil
            _ = try api.call(.post, path + "/restore", query: [("clock", clock)])
            terminal.print("restored \(api.world) to \(arguments[0])")
        case "delete":
            _ = try api.call(.delete, path)
            terminal.print("deleted \(arguments[0])")
        case "export":
            try export(path, to: arguments.dropFirst().first ?? arguments[0] + ".sqlite", api, terminal)
        case "import":
            let file = try BoundedFile.bytes(at: arguments[1], limit: limit, of: "a snapshot")
            _ = try api.call(.put, path + "/file", bytes: file, as: "application/octet-stream")
            terminal.print("imported \(arguments[0])")
        default: try list(api, invocation, terminal)
        }
        return 0
    }

    private static func export(
        _ path: String, to file: String, _ api: ControlAPI, _ terminal: Terminal
    ) throws {
        let response = try api.call(.get, path + "/file")
        do {
            try Data(response.body).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw Failure("cannot write \(file): \(error.sentence)")
        }
        terminal.print("wrote \(file)")
    }

    private static func list(_ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal) throws {
        let response = try api.call(.get, "/snapshots")
        if invocation.flag(.json) { return terminal.print(response.text) }
        let list = try api.read(List.self, response)
        for file in list.damaged ?? [] { terminal.complain("\(file.name) cannot be used: \(file.reason)") }
        let rows = list.snapshots.map {
            [$0.name, String($0.takenAt.prefix(19)).replacing("T", with: " ")]
        }
        if rows.isEmpty {
            return terminal.print("No snapshots yet. Take one: understudy snapshot save NAME")
        }
        for line in Columns.lines([["NAME", "TAKEN AT (UTC, WORLD'S TIME)"]] + rows) {
            terminal.print(line)
        }
    }
}
