import Essentials
import HTTP
import HTTPClient
import PlatformKit

/// `fault`: what goes wrong on purpose in a world.
enum FaultCommand {
    private struct List: Decodable {
        let faults: [FaultRule]
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        switch action {
        case "add":
            let rule = try rule(arguments.first ?? "", invocation)
            let response = try api.call(.post, "/faults", json: Array(JSONText.value(rule).utf8))
            if invocation.flag(.json) {
                terminal.print(response.text)
            } else {
                terminal.print(try api.read(FaultRule.self, response).name)
            }
        case "delete":
            _ = try api.call(.delete, "/faults/" + arguments[0].percentEncoded)
            terminal.print("deleted \(arguments[0])")
        case "clear":
            _ = try api.call(.delete, "/faults")
            terminal.print("deleted all faults of the world \(api.world)")
        default: try list(api, invocation, terminal)
        }
        return 0
    }

    private static func list(_ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal) throws {
        let response = try api.call(.get, "/faults")
        if invocation.flag(.json) { return terminal.print(response.text) }
        let rows = try api.read(List.self, response).faults.map { rule in
            let match = rule.match.words
            return [
                rule.name, String(rule.struck), rule.effect.words, match.isEmpty ? "every request" : match,
            ]
        }
        if rows.isEmpty {
            return terminal.print(
                "No faults. Add one: understudy fault add --platform hanko --status 503 --times 2")
        }
        for line in Columns.lines([["NAME", "STRUCK", "EFFECT", "REQUESTS"]] + rows) { terminal.print(line) }
    }

    /// - Throws: ``UsageError``.
    private static func rule(_ name: String, _ invocation: Invocation) throws -> FaultRule {
        var rule = FaultRule(name, try match(invocation), try effect(invocation))
        if let body = invocation.text(.faultBody) {
            guard var answer = rule.effect as? AnswerEffect else {
                throw UsageError("--body goes with --status")
            }
            let json = try? JSONValue(parsing: Array(body.utf8))
            answer.body = json?.object == nil && json?.array == nil ? .string(body) : json
            rule.effect = answer
        }
        return rule
    }

    private static func effect(_ invocation: Invocation) throws -> any FaultEffect {
        let given = FaultEffects.all.compactMap { kind in
            invocation.given[Option.name(of: kind)]?.values.last.map { (kind, $0) }
        }
        guard given.count == 1, let (kind, text) = given.first else {
            let known = FaultEffects.all.map { "--" + Option.name(of: $0) }.joined(separator: ", ")
            throw UsageError("fault add needs exactly one of \(known)")
        }
        guard let effect = kind.init(text) else {
            throw UsageError("--\(Option.name(of: kind)) expects a value like \(kind.form), not “\(text)”")
        }
        return effect
    }

    private static func match(_ invocation: Invocation) throws -> FaultMatch {
        var match = FaultMatch()
        match.platform = invocation.text(.faultPlatform)
        match.method = invocation.text(.faultMethod)
        match.path = invocation.text(.faultPath)
        match.user = invocation.text(.faultUser)
        match.client = invocation.text(.faultClient)
        match.from = try invocation.number(.faultFrom, in: 1...Int.max)
        if let times = try invocation.number(.faultTimes, in: 1...1_000_000_000) {
            match.to = (match.from ?? 1) - 1 + times
        }
        if let text = invocation.text(.faultChance) {
            guard let percent = Double(text), 0...100 ~= percent, percent > 0 else {
                throw invocation.refusal(of: .faultChance, "a percentage, more than 0 and at most 100")
            }
            match.probability = percent / 100
        }
        return match
    }
}
