import Essentials
import PlatformKit
@testable import PowerAuth
import PowerAuthDevice
import Testing
import TestKit


@Suite struct OperationFixtureTests {
    @Test func `an export loads as the same state`() throws {
        let bench = try OperationBench(
            #"""
            "inbox": [{"id": "m1", "user": "ada", "applications": ["bank"], "subject": "s", "summary": "s", "body": "b",
                       "created_at": "2026-01-01T00:00:00Z"}]
            """#)
        _ = try bench.create(#""template": "near", "userId": "ada", "parameters": {"a": "b"}"#)
        let done = try bench.create()
        try bench.approve(done)
        try bench.phone.registerPush(platform: "apns", token: "t", environment: "development")
        let world = bench.bench.world
        let exported = try bench.bench.worlds.export(world)
        try bench.bench.worlds.load(FixtureSet(text: exported, file: "export"), into: world)
        #expect(try bench.bench.worlds.export(world) == exported)
        #expect(try bench.show(done)["status"] == "APPROVED")
        let text = String(decoding: exported, as: UTF8.self)
        #expect(text.contains("\"push_devices\"") && text.contains("\"m1\""))
    }

    @Test(arguments: [
        (
            #""operation_templates": [{"id": "a", "type": "t", "data": "", "factors": []}]"#,
            "operation_templates[0].factors"
        ),
        (
            #""operation_templates": [{"id": "a", "type": "t", "data": "", "factors": ["pin"]}]"#,
            "operation_templates[0].factors[0]"
        ),
        (
            #""operation_templates": [{"id": "a", "type": "t", "data": "", "factors": ["possession"], "risk_flags": "Z"}]"#,
            "operation_templates[0].risk_flags"
        ),
        (
            #""operation_templates": [{"id": "a", "type": "t", "data": "", "factors": ["possession"], "seconds": 0}]"#,
            "operation_templates[0].seconds"
        ),
        (
            #""push_devices": [{"activation": "x", "service": "fcm", "token": "t", "registered_at": "2026-01-01T00:00:00Z"}]"#,
            "push_devices[0].activation"
        ),
        (
            #""inbox": [{"id": "m", "user": "u", "applications": ["x"], "subject": "s", "summary": "s", "body": "b", "created_at": "2026-01-01T00:00:00Z"}]"#,
            "inbox[0].applications[0]"
        ),
        (
            #""mobile_templates": [{"id": "t", "texts": {"en-US": {"title": "", "message": ""}}}]"#,
            "mobile_templates[0].texts.en-US"
        ),
    ])
    func `a fault is told with its place`(_ members: String, _ field: String) throws {
        let error = #expect(throws: FixtureError.self) {
            _ = try TestBench(PowerAuth.self, fixtures: OfficeBench.world(members))
        }
        #expect(error?.field == "powerauth." + field)
    }
}
