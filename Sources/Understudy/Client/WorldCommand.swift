import Essentials
import HTTP
import HTTPClient

/// `world`: worlds by hand.
enum WorldCommand {
    private struct World: Decodable {
        let name: String
        let live: Bool
        let lastUsedAt: String
        let baseURL: String
    }

    private struct List: Decodable {
        let worlds: [World]
    }

    private struct Created: Decodable {
        let name: String
        let baseURL: String
        let urls: [String: String]
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        let path = arguments.first.map { "/worlds/" + $0.percentEncoded } ?? "/worlds"
        switch action {
        case "create": try create(arguments.first, api, invocation, terminal)
        case "reset":
            _ = try api.call(.post, path + "/reset")
            terminal.print("reset \(arguments[0])")
        case "delete":
            _ = try api.call(.delete, path)
            terminal.print("deleted \(arguments[0])")
        default: try list(api, invocation, terminal)
        }
        return 0
    }

    private static func list(_ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal) throws {
        let response = try api.call(.get, "/worlds")
        if invocation.flag(.json) { return terminal.print(response.text) }
        let rows = try api.read(List.self, response).worlds.map { world in
            [
                world.name, String(world.lastUsedAt.prefix(19)).replacing("T", with: " "),
                world.live ? "yes" : "no", world.baseURL,
            ]
        }
        for line in Columns.lines([["NAME", "LAST USED (UTC)", "OPEN", "BASE URL"]] + rows) {
            terminal.print(line)
        }
    }

    private static func create(
        _ name: String?, _ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal
    ) throws {
        // With its name in the path, where a proxy in front of several programs looks for it.
        let order = try order(invocation)
        let response =
            if let name { try api.call(.put, "/worlds/" + name.percentEncoded, json: order) } else {
                try api.call(.post, "/worlds", json: order)
            }
        if invocation.flag(.json) { return terminal.print(response.text) }
        let world = try api.read(Created.self, response)
        let urls = world.urls.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        for line in Columns.lines([["world", world.name], ["base URL", world.baseURL]] + urls) {
            terminal.print(line)
        }
    }

    private static func order(_ invocation: Invocation) throws -> [UInt8] {
        var members: [String] = []
        if let seed = try invocation.number(.worldSeed, in: 0...UInt64.max) {
            members.append("\"seed\":\(seed)")
        }
        if let time = invocation.text(.worldClock) {
            members.append("\"clock\":" + JSONText.value(try ClockCommand.time(time)))
        }
        if let origin = invocation.text(.worldOrigin) {
            let parts = origin.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw invocation.refusal(
                    of: .worldOrigin, "a world and one of its snapshots, such as default/logged-in")
            }
            members.append(
                "\"from\":{\"world\":\(JSONText.value(parts[0])),\"snapshot\":\(JSONText.value(parts[1]))}")
        }
        if let file = invocation.text(.worldFixtures) {
            // The control API takes plain JSON: without comments, whole.
            members.append(
                "\"fixtures\":" + String(decoding: try FixtureCheck.normalized([file]), as: UTF8.self))
        }
        return Array(("{" + members.joined(separator: ",") + "}").utf8)
    }
}
