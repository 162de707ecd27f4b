import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import PowerAuth

@Suite struct NewRecordTests {
    private let bench: TestBench<PowerAuth>

    private var platform: PowerAuth { PowerAuth(bench.world) }

    init() throws {
        let master = TestKeys.ec.split(separator: "\n").map { "\"\($0)\"" }.joined(separator: ", ")
        func application(_ name: String, isSupported: Bool, _ key: String) -> String {
            """
            {"id": "\(name)", "master_key": [\(master)], "versions": [{"name": "1.0", "app_key": "\(key)",
             "app_secret": "QkJCQkJCQkJCQkJCQkJCQg==", "is_supported": \(isSupported)}]}
            """
        }
        let applications = [
            application("bank", isSupported: true, "QUFBQUFBQUFBQUFBQUFBQQ=="),
            application("old", isSupported: false, "Q0NDQ0NDQ0NDQ0NDQ0NDQw=="),
        ]
        bench = try TestBench(
            PowerAuth.self,
            fixtures: """
                {"powerauth": {"applications": [\(applications.joined(separator: ", "))],
                 "operation_templates": [{"id": "payment", "type": "payment",
                   "data": "A1*A${amount}${currency}*N${note}", "factors": ["possession_knowledge"], "seconds": 120}]}}
                """)
    }

    private func operation(_ inputs: [String: String]) throws -> (shown: Transaction, operation: Operation) {
        let id = try platform.makeRecord("operation", inputs)
        let shown = try #require(try platform.transactions().first { $0.id == id })
        let stored = try bench.world.database.read { db in try Operation.find(id, in: db) }
        return (shown, try #require(stored))
    }

    @Test func `the forms name applications that can be used, and templates`() throws {
        let forms = try platform.newRecords()
        #expect(forms.map(\.kind) == ["registration", "operation"])
        #expect(forms[0].inputs.map(\.name) == ["user", "application", "otp", "commit_phase"])
        #expect(forms[0].inputs[1].choices == ["bank"])
        #expect(forms[1].inputs[0].choices == ["payment"])
        #expect(forms[1].inputs.filter(\.isLong).map(\.name) == ["parameters"])
    }

    @Test func `where there is nothing to make something of, no form is offered`() throws {
        let empty = PowerAuth(try TestBench(PowerAuth.self).world)
        #expect(try empty.newRecords() == [])
    }

    @Test func `a registration is made as it was asked for`() throws {
        let id = try platform.makeRecord(
            "registration",
            ["user": "ada", "application": "bank", "otp": "2468", "commit_phase": "ON_KEY_EXCHANGE"])

        let stored = try bench.world.database.read { db in try Activation.find(id, in: db) }
        let activation = try #require(stored)
        #expect(activation.user == "ada" && activation.application == "bank")
        #expect(activation.state == .created && activation.commitPhase == .onKeyExchange)
        #expect(activation.otp?.matches("2468") == true)
        #expect(try platform.record(id)?.state == "CREATED")
    }

    @Test(
        arguments: [
            ([:], RecordRefusal.inputMissing("user")),
            (["user": "ada"], .inputMissing("application")),
            (
                ["user": "ada", "application": "bank", "commit_phase": "LATER"],
                .inputWrong("The commit phase is “LATER”, expected ON_COMMIT or ON_KEY_EXCHANGE.")
            ),
            (
                ["user": String(repeating: "a", count: 256), "application": "bank"],
                .inputWrong("The id of a user has at most 255 characters, this one has 256.")
            ),
        ] as [([String: String], RecordRefusal)])
    func `a registration that cannot be is refused`(
        _ inputs: [String: String], _ refusal: RecordRefusal
    ) throws {
        #expect(throws: refusal) { try platform.makeRecord("registration", inputs) }
        #expect(try platform.records().allSatisfy { $0.kind == ApplicationView.kind })
    }

    @Test func `an application without a supported version takes no registrations`() throws {
        #expect(throws: ActivationRefusal.versionMissing(application: "old")) {
            try platform.makeRecord("registration", ["user": "ada", "application": "old"])
        }
    }

    @Test func `an operation is made of lines of parameters`() throws {
        let made = try operation([
            "template": "payment", "user": "ada",
            "parameters": "amount=100\n\ncurrency=EUR\r\nnote=1+1=2", "flag": "VIP", "seconds": "60",
        ])

        #expect(made.shown.kind == "operation" && made.shown.user == "ada" && made.shown.isOpen)
        #expect(made.operation.data == "A1*A100EUR*N1+1=2")
        #expect(made.operation.applications == ["bank", "old"] && made.operation.flag == "VIP")
        #expect(made.shown.expiresAt == bench.clock.now + 60)
        let facts = made.shown.facts.map { "\($0.name): \($0.value)" }
        #expect(facts.contains("Data: A1*A100EUR*N1+1=2") && facts.contains("Failed attempts: 0 of 5"))
        #expect(facts.contains("Activation flag: VIP"))
    }

    @Test func `an operation for a registration is its user's and its application's`() throws {
        let registration = try platform.makeRecord("registration", ["user": "ada", "application": "bank"])
        let made = try operation(["template": "payment", "registration": registration])

        #expect(made.operation.user == "ada" && made.operation.activation == registration)
        #expect(made.operation.applications == ["bank"])
        #expect(made.shown.expiresAt == bench.clock.now + 120)
    }

    @Test(
        arguments: [
            ([:], RecordRefusal.inputMissing("template")),
            (
                ["template": "payment", "parameters": "amount"],
                .inputWrong("The parameter line “amount” is not of the form name=value.")
            ),
            (
                ["template": "payment", "parameters": "=1"],
                .inputWrong("The parameter line “=1” is not of the form name=value.")
            ),
            (
                ["template": "payment", "parameters": "a=1\na=2"],
                .inputWrong("The parameter “a” is given twice.")
            ),
            (
                ["template": "payment", "seconds": "0"],
                .inputWrong(
                    "The seconds to expiry are “0”, expected a whole number from 1 to 1000000000.")
            ),
        ] as [([String: String], RecordRefusal)])
    func `an operation that cannot be is refused`(
        _ inputs: [String: String], _ refusal: RecordRefusal
    ) throws {
        #expect(throws: refusal) { try platform.makeRecord("operation", inputs) }
        #expect(try platform.transactions() == [])
    }

    @Test func `a template or a registration that is not there is refused in the platform's words`() throws {
        #expect(throws: OperationRefusal.self) { try platform.makeRecord("operation", ["template": "none"]) }
        #expect(throws: OperationRefusal.self) {
            try platform.makeRecord("operation", ["template": "payment", "registration": "none"])
        }
        #expect(throws: RecordRefusal.kindUnknown("cat", known: ["registration", "operation"])) {
            try platform.makeRecord("cat", [:])
        }
    }
}
