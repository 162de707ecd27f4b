import HTTP
import PlatformKit

/// What came is no fault: where, and why.
struct FaultUnprocessable: Error {
    let error: FixtureError
}

extension Console {
    struct FaultsOutput: Encodable {
        let faults: [FaultRule]
    }

    /// `GET /faults`: the rules of the world, in the order in which they are asked.
    ///
    /// - Response: `200 {"faults": [{"name", "match", "effect", "seen", "struck"}]}`.
    func listFaults(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(FaultsOutput(faults: world.faults.map(\.shown)))
    }

    /// `POST /faults`: puts a rule behind the others.
    ///
    /// - Request: `{"name"?, "match"?, "effect"}`, as the fixtures have it.
    /// - Response: `201` with the rule; its name was made up where none was given.
    /// - Errors: 409 when the name is taken or there are 100 already, 422 for what is no rule.
    func addFault(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let rule = try world.addFault(faultRule(request))
        noteFault("fault added", rule, in: world)
        var response = try Response.json(rule.shown, status: .created)
        response.headers["Location"] = request.mount + Self.root + "/faults/" + rule.name
        return response
    }

    /// `PUT /faults`: puts other rules in the place of all.
    ///
    /// - Request: `{"faults": […]}`.
    /// - Response: as `GET /faults`.
    /// - Errors: 422 for what are no rules.
    func replaceFaults(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody.text(request)
        let rules = try Self.fit { try FaultRule.rules(reading: body, platforms: info.faultPlatforms) }
        let set = try world.replaceFaults(with: rules)
        world.services.journal.event("faults replaced", "The world has \(set.count) faults now.")
        return try .json(FaultsOutput(faults: set.map(\.shown)))
    }

    /// `DELETE /faults`: all of them; 204.
    func deleteFaults(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try clearFaults(of: world)
        return .noContent
    }

    func clearFaults(of world: World) throws {
        _ = try world.replaceFaults(with: [])
        world.services.journal.event("faults deleted", "All faults of the world were deleted.")
    }

    /// `GET /faults/NAME`: one of them.
    func showFault(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(world.fault(request.parameter("name")).shown)
    }

    /// `PUT /faults/NAME`: puts a rule in the place of the one of this name, which begins to count anew, or behind the others.
    ///
    /// - Request: as ``addFault(_:_:)``; a name must be the one of the path.
    /// - Response: `200`, or `201` for a new one.
    func putFault(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        var rule = try faultRule(request)
        let name = request.parameter("name")
        guard rule.name.isEmpty || rule.name == name else {
            throw ControlError.parameter(
                "name", expected: "“\(name)” or left out", given: "“\(rule.name)”")
        }
        guard WorldName.isOne(name) else {
            throw ControlError.parameter(
                "name", expected: "1 to 40 of the characters a-z, 0-9 and -", given: "“\(name)”")
        }
        rule.name = name
        let isNew = try world.putFault(rule)
        noteFault(isNew ? "fault added" : "fault changed", rule, in: world)
        return try .json(rule.shown, status: isNew ? .created : .ok)
    }

    /// `DELETE /faults/NAME`: 204.
    func deleteFault(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try deleteFault(request.parameter("name"), of: world)
        return .noContent
    }

    func deleteFault(_ name: String, of world: World) throws {
        try world.deleteFault(name)
        world.services.journal.event("fault deleted", about: name, "The fault “\(name)” was deleted.")
    }

    func noteFault(_ event: String, _ rule: FaultRule, in world: World) {
        let match = rule.match.words
        world.services.journal.event(
            event, about: rule.name,
            "The fault “\(rule.name)” applies to \(match.isEmpty ? "all requests" : match): \(rule.effect.words)."
        )
    }

    private func faultRule(_ request: Request) throws -> FaultRule {
        let body = try JSONBody.text(request)
        return try Self.fit { try FaultRule.rule(reading: body, platforms: info.faultPlatforms) }
    }

    private static func fit<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as FixtureError {
            throw FaultUnprocessable(error: error)
        }
    }
}

extension ConsoleInfo {
    /// What a fault can call a platform: its name, or one of its mounts.
    var faultPlatforms: [String] { platforms.flatMap(FaultMatch.names) }
}
