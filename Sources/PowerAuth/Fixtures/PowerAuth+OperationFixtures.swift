import Essentials
import PlatformKit
import SQLite

/// Templates, operations, inbox messages and push devices.
extension PowerAuth {
    /// After applications and activations.
    static func loadOperations(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        try loadTemplates(fixtures, into: db)
        var ids: Set<String> = []
        for (index, operation) in (fixtures.operations ?? []).enumerated() {
            let path = ["operations", String(index)]
            try FixtureRules.requireUnique(operation.id, in: &ids, at: path + ["id"])
            try OperationStore().insert(try read(operation, at: path, in: db), in: db)
        }
        var messages: Set<String> = []
        for (index, message) in (fixtures.inbox ?? []).enumerated() {
            let path = ["inbox", String(index)]
            try FixtureRules.requireUnique(message.id, in: &messages, at: path + ["id"])
            try InboxStore().insert(try read(message, at: path, in: db), in: db)
        }
        var devices: Set<String> = []
        for (index, device) in (fixtures.pushDevices ?? []).enumerated() {
            let path = ["push_devices", String(index)]
            try FixtureRules.requireUnique(device.activation, in: &devices, at: path + ["activation"])
            try load(device, at: path, into: db)
        }
    }

    static func exportOperations(to fixtures: inout PowerAuthFixtures, from db: Connection) throws {
        let templates = TemplateStore()
        fixtures.operationTemplates = try templates.all(in: db).map(OperationTemplateFixture.init).nilIfEmpty
        fixtures.mobileTemplates = MobileTemplateFixture.all(of: try templates.allMobile(in: db)).nilIfEmpty
        fixtures.operations = try OperationStore().all(in: db).map(OperationFixture.init).nilIfEmpty
        fixtures.inbox = try InboxStore().all(in: db).map(InboxMessageFixture.init).nilIfEmpty
        fixtures.pushDevices = try PushDeviceStore().all(in: db).map(PushDeviceFixture.init).nilIfEmpty
    }

    private static func loadTemplates(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        var names: Set<String> = []
        var numbers: Set<String> = []
        for (index, fixture) in (fixtures.operationTemplates ?? []).enumerated() {
            let path = ["operation_templates", String(index)]
            try FixtureRules.requireUnique(fixture.id, in: &names, at: path + ["id"])
            if let number = fixture.number {
                try FixtureRules.require(1...1_000_000_000, number, at: path + ["number"])
                try FixtureRules.requireUnique(String(number), in: &numbers, at: path + ["number"])
            }
            try insert(try read(fixture, at: path), at: path, into: db)
        }
        var types: Set<String> = []
        for (index, fixture) in (fixtures.mobileTemplates ?? []).enumerated() {
            let path = ["mobile_templates", String(index)]
            try FixtureRules.requireName(fixture.id, at: path + ["id"])
            try FixtureRules.requireUnique(fixture.id, in: &types, at: path + ["id"])
            for (language, text) in fixture.texts.sorted(by: { $0.key < $1.key }) {
                guard AcceptLanguage.primary(of: language) == language else {
                    throw FixtureProblem(
                        at: path + ["texts", language],
                        "expected the primary subtag of a language in lower case, such as \"en\"")
                }
                try TemplateStore().insert(
                    MobileTemplate(
                        type: fixture.id, language: language, title: text.title, message: text.message,
                        attributes: text.attributes ?? [], ui: text.ui.map(JSONValue.object),
                        resultTexts: text.resultTexts.map(JSONValue.object)), in: db)
            }
        }
    }

    private static func insert(
        _ template: OperationTemplate, at path: [String], into db: Connection
    ) throws {
        do {
            try TemplateStore().insert(template, in: db)
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw FixtureProblem(
                at: path + ["number"],
                "the number is that of a template before it; give each a number or none")
        }
    }

    private static func load(
        _ fixture: PushDeviceFixture, at path: [String], into db: Connection
    ) throws {
        guard let activation = try ActivationStore().find(fixture.activation, in: db) else {
            throw FixtureProblem(
                at: path + ["activation"], "there is no activation \"\(fixture.activation.prefix(60))\"")
        }
        try FixtureRules.requireName(fixture.token, at: path + ["token"])
        try PushDeviceStore().save(
            PushDevice(
                activation: activation.id, application: activation.application, user: activation.user,
                service: fixture.service, token: fixture.token, environment: fixture.environment,
                registeredAt: fixture.registeredAt), in: db)
    }
}

extension Array {
    fileprivate var nilIfEmpty: [Element]? { isEmpty ? nil : self }
}
