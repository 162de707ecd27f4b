import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// An office with templates, and ada with a phone.
struct OperationBench {
    static let templates = """
        "operation_templates": [
            {"id": "login", "type": "login", "data": "A2", "factors": ["possession_knowledge", "possession_biometry"]},
            {"id": "strict", "type": "login", "data": "A2", "factors": ["possession_knowledge"], "max_failures": 2},
            {"id": "easy", "type": "login", "data": "A2", "factors": ["possession"], "risk_flags": "XCF"},
            {"id": "near", "type": "login", "data": "A2", "factors": ["possession_knowledge"], "checks_proximity": true},
            {"id": "silent type", "type": "untold", "data": "A0", "factors": ["possession_knowledge"]},
            {"id": "payment", "type": "payment", "data": "A1*A${amount}${currency}*I${account}*N${note}",
             "factors": ["possession_knowledge"], "seconds": 60}],
        "mobile_templates": [
            {"id": "login", "texts": {
                "en": {"title": "Login", "message": "Do you log in, ${name}?",
                       "result_texts": {"success": "Welcome, ${name}"}},
                "cs": {"title": "Přihlášení", "message": "Přihlásit?"}}},
            {"id": "payment", "texts": {"en": {"title": "Pay", "message": "", "attributes": [
                {"type": "AMOUNT", "id": "a", "text": "Amount", "params": {"amount": "amount", "currency": "currency"}},
                {"type": "NOTE", "id": "n", "text": "Note", "params": {"note": "note"}}]}}}]
        """

    let office: OfficeBench
    let phone: Device
    /// Of ada's phone.
    let registration: String

    init(_ members: String = "") throws {
        office = try OfficeBench(Self.templates + (members.isEmpty ? "" : ", " + members))
        (phone, registration) = try office.active()
    }

    var platform: PowerAuth { office.platform }
    var bench: TestBench<PowerAuth> { office.bench }

    /// Creates an operation through the Cloud API.
    func create(_ members: String = #""template": "login", "userId": "ada""#) throws -> String {
        let response = office.cloud(.post, "/v2/operations", "{\(members)}")
        return try #require(response.fields["operationId"], "\(response.text)")
    }

    /// As the Cloud API tells it.
    func show(_ id: String) throws -> [String: JSONValue] {
        try office.object(office.cloud(.get, "/v2/operations/" + id))
    }

    func approve(_ id: String, data: String = "A2", pin: String = OfficeBench.pin) throws {
        try phone.authorizeOperation(id, data: data, with: .pin(pin))
    }

    /// The code of the refusal.
    func refusal(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) -> String? {
        let refusal = #expect(throws: ServerRefusal.self, sourceLocation: sourceLocation) { try body() }
        #expect(bench.misshapenExplanations == [], sourceLocation: sourceLocation)
        #expect(bench.reports.lines == [], sourceLocation: sourceLocation)
        return refusal.map { "\($0.status) \($0.code ?? "")" }
    }

    /// What a decision in code comes to.
    func decide(
        _ id: String, user: String = "ada", application: String = "bank", activation: String? = nil,
        data: String = "A2", type: SignatureType = .possessionKnowledge, otp: String? = nil
    ) throws -> Result<OperationResult, OperationRefusal> {
        let decision = OperationDecision(
            user: user, application: application, activation: activation, data: data, type: type,
            proximityOTP: otp)
        do {
            return .success(
                try platform.change { turn in try platform.operations.approve(id, decision, in: turn) })
        } catch let refusal as OperationRefusal {
            return .failure(refusal)
        }
    }
}
