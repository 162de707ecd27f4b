import Essentials
import PlatformKit
import SQLite

/// What fixtures say of single templates, operations and messages, checked.
extension PowerAuth {
    static func read(_ fixture: OperationTemplateFixture, at path: [String]) throws -> OperationTemplate {
        let template = OperationTemplate(
            number: fixture.number, name: fixture.id, type: fixture.type, data: fixture.data,
            types: try types(fixture.factors, at: path + ["factors"]),
            maxFailures: fixture.maxFailures ?? 5, seconds: fixture.seconds ?? 300,
            riskFlags: fixture.riskFlags ?? "", checksProximity: fixture.checksProximity ?? false)
        if let fault = template.fault {
            throw FixtureProblem(at: path + [fault.member.fixtureName], fault.reason)
        }
        return template
    }

    static func read(
        _ fixture: OperationFixture, at path: [String], in db: Connection
    ) throws -> Operation {
        try FixtureRules.requireUUID(fixture.id, at: path + ["id"])
        try requireApplications(fixture.applications, at: path + ["applications"], in: db)
        if let id = fixture.activation {
            guard let activation = try ActivationStore().find(id, in: db) else {
                throw FixtureProblem(
                    at: path + ["activation"], "there is no activation \"\(id.prefix(60))\"")
            }
            guard activation.user == fixture.user else {
                throw FixtureProblem(
                    at: path + ["user"], "expected \"\(activation.user)\", whose activation this is")
            }
        }
        let maximum = fixture.maxFailures ?? 5
        try FixtureRules.require(
            OperationTemplate.failureLimits, maximum, at: path + ["max_failures"])
        try FixtureRules.require(0...maximum, fixture.failures ?? 0, at: path + ["failures"])
        let flags = fixture.riskFlags ?? ""
        guard flags.allSatisfy({ OperationTemplate.knownRiskFlags.contains($0) }) else {
            throw FixtureProblem(
                at: path + ["risk_flags"], "expected letters of XCF, found \"\(flags.prefix(20))\"")
        }
        let seed = try fixture.proximitySeed.map {
            try FixtureRules.requireBase64($0, [16], at: path + ["proximity_seed"])
        }
        return Operation(
            id: fixture.id, user: fixture.user, activation: fixture.activation,
            applications: fixture.applications, template: fixture.template, type: fixture.type,
            data: fixture.data, parameters: fixture.parameters ?? [:],
            additionalData: fixture.additionalData ?? [:], state: fixture.state ?? .pending,
            stateReason: fixture.stateReason, types: try types(fixture.factors, at: path + ["factors"]),
            riskFlags: flags, failures: fixture.failures ?? 0, maxFailures: maximum, proximitySeed: seed,
            flag: fixture.flag, externalID: fixture.externalID,
            language: fixture.language ?? AcceptLanguage.standard, createdAt: fixture.createdAt,
            expiresAt: fixture.expiresAt, finalizedAt: fixture.finalizedAt)
    }

    static func read(
        _ fixture: InboxMessageFixture, at path: [String], in db: Connection
    ) throws -> InboxMessage {
        try FixtureRules.requireName(fixture.id, at: path + ["id"])
        try FixtureRules.requireName(fixture.user, at: path + ["user"])
        try requireApplications(fixture.applications, at: path + ["applications"], in: db)
        return InboxMessage(
            id: fixture.id, user: fixture.user, applications: fixture.applications,
            format: fixture.format ?? .text, subject: fixture.subject, summary: fixture.summary,
            body: fixture.body, isRead: fixture.isRead ?? false, createdAt: fixture.createdAt)
    }

    private static func types(_ names: [String], at path: [String]) throws -> [SignatureType] {
        guard !names.isEmpty else {
            throw FixtureProblem(at: path, "expected at least one combination of factors")
        }
        return try names.enumerated().map { index, name in
            if let type = SignatureType(rawValue: name) { return type }
            throw FixtureProblem(
                at: path + [String(index)],
                "expected one of " + SignatureType.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", found \"\(name.prefix(60))\"")
        }
    }

    private static func requireApplications(
        _ ids: [String], at path: [String], in db: Connection
    ) throws {
        guard !ids.isEmpty else { throw FixtureProblem(at: path, "expected at least one application") }
        for (index, id) in ids.enumerated() where try ApplicationStore().find(id, in: db) == nil {
            throw FixtureProblem(at: path + [String(index)], "there is no application \"\(id.prefix(60))\"")
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
