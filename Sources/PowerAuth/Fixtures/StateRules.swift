import Crypto
import Essentials
import PlatformKit

/// What the shapes of the entries cannot say.
struct StateRules {
    private var rules = FixtureRules()
    /// Who has an activation, by its id.
    private var owners: [String: String] = [:]
    /// Activations of protocol 4.0, where they stand, until their secrets are found.
    var withoutSecrets: [String: [String]] = [:]
    private var numbers: Set<Int> = []
    private var nextNumber = 1

    mutating func note(application: String) { rules.note(application, as: "application") }

    /// Something that stands in the lists once.
    mutating func requireNew(_ text: String, _ member: String, _ kind: String, at path: [String]) throws {
        try rules.add(text, to: "\(member) of a \(kind)", at: path + [member])
    }

    func requireApplication(_ id: String, at path: [String]) throws {
        try rules.require(id, "application", at: path)
    }

    func requireApplications(_ ids: [String], at path: [String]) throws {
        guard !ids.isEmpty else { throw FixtureProblem(at: path, "expected at least one application") }
        for (index, id) in ids.enumerated() { try requireApplication(id, at: path + [String(index)]) }
    }

    /// - Returns: whose it is.
    @discardableResult
    func requireActivation(_ id: String, at path: [String]) throws -> String {
        if let owner = owners[id] { return owner }
        throw FixtureProblem(at: path + ["activation"], "there is no activation “\(id.prefix(60))”")
    }
}

// MARK: - Back office

extension StateRules {
    mutating func check(_ user: SystemUser, at path: [String]) throws {
        try requireNew(user.name, "username", "user", at: path)
        try FixtureRules.requireName(user.name, at: path + ["username"])
        guard !user.name.contains(":") else {
            // RFC 7617 §2
            throw FixtureProblem(at: path + ["username"], "expected a name without a colon")
        }
        try FixtureRules.requireName(user.password, at: path + ["password"])
        var own = FixtureRules()
        for (index, id) in user.applications.enumerated() {
            let path = path + ["applications", String(index)]
            try requireApplication(id, at: path)
            try own.add(id, to: "application", at: path)
        }
    }

    mutating func check(_ callback: RegisteredCallback, at path: [String]) throws {
        try requireNew(callback.id, "id", "callback", at: path)
        try FixtureRules.requireUUID(callback.id, at: path + ["id"])
        rules.note(callback.id, as: "callback")
        try requireApplication(callback.application, at: path + ["application"])
        guard CallbackInput.isUsable(url: callback.url) else {
            throw FixtureProblem(
                at: path + ["url"], "expected a URL of http or https, found “\(callback.url.prefix(60))”")
        }
        for (name, text) in [
            ("initial_backoff", callback.initialBackoff), ("retention_period", callback.retentionPeriod),
        ] where ISODuration(text) == nil {
            throw FixtureProblem(
                at: path + [name],
                "expected a duration of ISO 8601 such as PT2S or P30D, found “\(text.prefix(60))”")
        }
        try FixtureRules.require(1...64, callback.maxAttempts, at: path + ["max_attempts"])
        let known = callback.kind.attributes
        for (index, name) in callback.attributes.enumerated() where !known.contains(name) {
            throw FixtureProblem(
                at: path + ["attributes", String(index)],
                "expected one of \(known.joined(separator: ", ")), found “\(name.prefix(60))”")
        }
    }

    mutating func check(_ event: CallbackEvent, at path: [String]) throws {
        try FixtureRules.requireUUID(event.id, at: path + ["id"])
        try requireNew(event.id, "id", "callback event", at: path)
        try rules.require(event.callback, "callback", at: path + ["callback"])
    }
}

// MARK: - Devices

extension StateRules {
    mutating func check(_ activation: Activation, at path: [String]) throws {
        try FixtureRules.requireUUID(activation.id, at: path + ["id"])
        try requireNew(activation.id, "id", "activation", at: path)
        owners[activation.id] = activation.user
        try requireApplication(activation.application, at: path + ["application"])
        try FixtureRules.requireName(activation.user, at: path + ["user"])
        for (name, value, range) in [
            ("otp_failures", activation.otpFailures, 0...64),
            ("failed_attempts", activation.failedAttempts, 0...64),
            ("max_failed_attempts", activation.maxFailedAttempts, 1...64),
            ("counter", activation.counter, 0...1_000_000_000),
        ] { try FixtureRules.require(range, value, at: path + [name]) }
        if let code = activation.code { try FixtureRules.requireCode(code, at: path + ["code"]) }
        if activation.generation == 4 { withoutSecrets[activation.id] = path }
        try requireKeyExchange(of: activation, at: path)
        try checkKeys(of: activation, at: path)
    }

    private func requireKeyExchange(of activation: Activation, at path: [String]) throws {
        guard activation.state != .created, activation.state != .removed else { return }
        let isOf4 = activation.generation == 4
        for (name, isThere) in [
            ("a device_public_key", activation.devicePoint != nil || isOf4),
            ("counter_data", activation.counterData != nil),
        ] where !isThere {
            throw FixtureProblem(at: path, "an activation that is \(activation.state.rawValue) has \(name)")
        }
    }

    private func checkKeys(of activation: Activation, at path: [String]) throws {
        try FixtureRules.require([32], activation.serverKey, at: path + ["server_key"])
        try FixtureRules.requireKey(at: path + ["server_key"]) {
            try PrivateKey(scalar: activation.serverKey.bytes)
        }
        if let device = activation.devicePoint {
            let path = path + ["device_public_key"]
            try FixtureRules.require([33, 65], device, at: path)
            try FixtureRules.requireKey(at: path) { try CurvePoint(x962: device.bytes) }
        }
        if let data = activation.counterData {
            try FixtureRules.require([16, V4.keyCount], data, at: path + ["counter_data"])
        }
    }

    mutating func check(_ code: RecoveryCode, at path: [String]) throws {
        try requireNew(code.application + " " + code.code, "code", "recovery code", at: path)
        try FixtureRules.requireCode(code.code, at: path + ["code"])
        try requireApplication(code.application, at: path + ["application"])
        for (index, puk) in code.puks.enumerated() {
            guard puk.value.utf8.count == 10, puk.value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw FixtureProblem(
                    at: path + ["puks", String(index), "value"],
                    "expected ten digits, found “\(puk.value.prefix(60))”")
            }
        }
    }
}

// MARK: - Operations

extension StateRules {
    mutating func check(_ template: OperationTemplate, at path: [String]) throws {
        try requireNew(template.name, "id", "operation template", at: path)
        if let number = template.number {
            try FixtureRules.require(1...1_000_000_000, number, at: path + ["number"])
            try requireNew(String(number), "number", "operation template", at: path)
        }
        if let fault = template.fault {
            throw FixtureProblem(at: path + [fault.member.fixtureName], fault.reason)
        }
        // One without a number gets the next one.
        let number = template.number ?? nextNumber
        guard numbers.insert(number).inserted else {
            throw FixtureProblem(
                at: path + ["number"],
                "the number is that of a template before it; give each a number or none")
        }
        nextNumber = max(nextNumber, number.adding(1))
    }

    mutating func check(_ template: MobileTemplate, at path: [String]) throws {
        try FixtureRules.requireName(template.id, at: path + ["id"])
        try requireNew(template.id, "id", "mobile template", at: path)
        for language in template.texts.keys.sorted() where AcceptLanguage.primary(of: language) != language {
            throw FixtureProblem(
                at: path + ["texts", language],
                "expected the primary subtag of a language in lower case, such as “en”")
        }
    }

    mutating func check(_ operation: Operation, at path: [String]) throws {
        try requireNew(operation.id, "id", "operation", at: path)
        try FixtureRules.requireUUID(operation.id, at: path + ["id"])
        try requireApplications(operation.applications, at: path + ["applications"])
        if let id = operation.activation {
            let owner = try requireActivation(id, at: path)
            guard owner == operation.user else {
                throw FixtureProblem(
                    at: path + ["user"], "expected “\(owner)”, whose activation this is")
            }
        }
        try FixtureRules.require(
            OperationTemplate.failureLimits, operation.maxFailures, at: path + ["max_failures"])
        try FixtureRules.require(0...operation.maxFailures, operation.failures, at: path + ["failures"])
        guard operation.riskFlags.allSatisfy({ OperationTemplate.knownRiskFlags.contains($0) }) else {
            throw FixtureProblem(
                at: path + ["risk_flags"],
                "expected letters of XCF, found “\(operation.riskFlags.prefix(20))”")
        }
        if let seed = operation.proximitySeed {
            try FixtureRules.require([16], seed, at: path + ["proximity_seed"])
        }
        guard !operation.types.isEmpty else {
            throw FixtureProblem(
                at: path + ["factors"], "expected at least one combination of factors")
        }
    }
}

extension OperationTemplate.Member {
    fileprivate var fixtureName: String {
        switch self {
        case .name: "id"
        case .type: "type"
        case .types: "factors"
        case .maxFailures: "max_failures"
        case .seconds: "seconds"
        case .riskFlags: "risk_flags"
        }
    }
}
