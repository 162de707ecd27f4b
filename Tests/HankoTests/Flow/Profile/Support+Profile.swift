import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// What the fixtures of the profile tests write of Ada.
enum AdaHas {
    static let email = #""emails": [{"id": "\#(Ada.emailID)", "address": "\#(Ada.address)"}]"#
    static let secondID = "ada00000-0000-4000-8000-0000000000e2"
    static let secondAddress = "ada.second@example.com"
    static let emails = #"""
        "emails": [
            {"id": "\#(Ada.emailID)", "address": "\#(Ada.address)", "is_primary": true},
            {"id": "\#(secondID)", "address": "\#(secondAddress)", "is_verified": false},
        ]
        """#
    static let password = #""password": {"text": "correct horse"}"#
    static let username = #""username": "ada""#
    /// The key of RFC 6238 in base32.
    static let otp = #""otp": {"secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}"#
    static let identityID = "ada00000-0000-4000-8000-0000000000f1"
    static let identity = #"""
        "identities": [
            {"id": "\#(identityID)", "provider": "google", "subject": "g-1", "email_id": "\#(Ada.emailID)"},
        ]
        """#
    /// A COSE_Key for ES256 whose point is the base point of P-256. Source: RFC 9052 §7, SEC 2 §2.4.2.
    static let publicKey =
        "pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"

    static func credentials(passkeys: Int = 0, securityKeys: Int = 0) -> String {
        let passkeys = (0..<passkeys).map { #"{"id": "cGFzc2tleTE\#($0)", "public_key": "\#(publicKey)"}"# }
        let keys = (0..<securityKeys).map {
            #"{"id": "c2VjdXJpdHk\#($0)", "public_key": "\#(publicKey)", "mfa_only": true}"#
        }
        return "\"webauthn_credentials\": [\((passkeys + keys).joined(separator: ", "))]"
    }
}

extension TestBench where P == Hanko {
    /// Ada as `ada` says, and Grace, who has nothing but a verified address; Hanko's own defaults.
    static func profile(
        config: String = "", ada: String..., seed: UInt64 = 1
    ) throws -> TestBench<Hanko> {
        let members = (ada.isEmpty ? [AdaHas.email] : ada).joined(separator: ", ")
        return try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {
                    "hanko": {
                        "config": {\(config)},
                        "users": [
                            {"id": "\(Ada.id)", \(members)},
                            {"id": "\(Grace.id)", "emails": [{"id": "\(Grace.emailID)", "address": "\(Grace.address)"}]},
                        ],
                    },
                }
                """, seed: seed)
    }

    /// A session that is simply there, however people sign in on this bench.
    ///
    /// - Parameter number: of one digit; makes its id.
    func openSession(_ number: Int = 1, of userID: String = Ada.id, userAgent: String? = nil) throws
        -> OpenedSession
    {
        let new = NewSession(
            id: "5e550000-0000-4000-8000-00000000000\(number)", userAgent: userAgent, ipAddress: nil,
            createdAt: clock.now, lifespanSeconds: 43_200, limit: 5)
        return try world.database.write { try $0.open(new, for: userID) }
    }

    func bearer(_ opened: OpenedSession) throws -> Headers {
        let hanko = Hanko(world)
        return .bearer(try hanko.tokens.issue(for: opened, hanko.configuration()))
    }

    /// A profile flow in `profile_init`.
    func profileFlow(webauthn: Bool = true, of userID: String = Ada.id) throws -> FlowClient {
        let client = try flow("/profile", webauthn: webauthn, headers: bearer(openSession(of: userID)))
        #expect(client.state == "profile_init", "\(client.response.text)")
        return client
    }

    func account(_ userID: String = Ada.id) throws -> Account? {
        try world.database.read { try $0.account(userID) }
    }

    func requireAda() throws -> Account { try #require(try account()) }

    /// Whether the newest answer's event says why the action is not offered.
    func suspends(_ action: String, because reason: String) -> Bool {
        let event = journal.first { $0.kind == .event && $0.event?.hasPrefix("flow at ") == true }
        return event?.explanation?.contains("\(action) (\(reason))") ?? false
    }
}

extension FlowClient {
    /// Asserts that the last action led back to the profile without an error.
    func expectProfile(_ location: SourceLocation = #_sourceLocation) {
        #expect(state == "profile_init" && status == 200, "\(response.text)", sourceLocation: location)
    }

    /// Asks for an action by an address that the answer did not give.
    mutating func force(_ action: String, _ inputs: JSON? = nil) throws {
        let id = try #require(try href("patch_metadata").split(separator: "%40").last)
        try post("/profile?action=\(action)%40\(id)", token: token, inputs)
    }
}

extension Device {
    /// What a browser makes of the options in the payload.
    mutating func create(_ client: FlowClient) throws -> JSON {
        let options = try #require(client.payload["creation_options"], "\(client.response.text)")
        return try JSON(parsing: authenticator.create(options.bytes))
    }
}

/// A profile flow of Ada's, and whom each step of it tells.
struct ToldProfile {
    let bench: TestBench<Hanko>
    private let receiver: HookReceiver
    private(set) var client: FlowClient
    /// How many entries, calls and mails there were before the step.
    private var seen = (audits: 0, calls: 0, mails: 0)

    /// - Parameter url: of the receiver.
    init(_ receiver: HookReceiver, _ url: String, config: String = "", ada: String...) throws {
        self.receiver = receiver
        let hooks = #"{"enabled": true, "hooks": [{"callback": "\#(url)/hook", "events": ["user"]}]}"#
        let own = "\"audit_log\": {\"storage\": {\"enabled\": true}}, \"webhooks\": \(hooks)"
        bench = try TestBench.profile(
            config: [config, own].filter { !$0.isEmpty }.joined(separator: ", "),
            ada: ada.joined(separator: ", "))
        client = try bench.profileFlow()
    }

    /// - Returns: entries of the audit log, calls of webhooks, cookies and mails, in this order.
    mutating func run(_ action: String, _ inputs: [String: JSON] = [:]) throws -> [String] {
        try client.run(action, .object(inputs))
        let (audits, calls, mails) = (try audits(), try calls(), try bench.messages.reversed())
        defer { seen = (audits.count, calls.count, mails.count) }
        return audits.dropFirst(seen.audits) + calls.dropFirst(seen.calls).filter { $0 != Self.last }
            + client.response.headers.values(of: "Set-Cookie").map { "cookie \($0)" }
            + mails.dropFirst(seen.mails).map { "mail to \($0.message.to.address)" }
    }

    private func audits() throws -> [String] {
        let entries = try bench.world.database.read { try $0.all(AuditEntry.self, order: "position") }
        return entries.map { entry in
            let details = entry.details.filter { $0.key != "flow_id" }.sorted { $0.key < $1.key }
            return
                (["audit", entry.type.rawValue, entry.userID ?? "-", entry.address ?? "-"]
                + details.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        }
    }

    private static let last = "webhook user.update \(Grace.id)"

    /// Calls come one after the other: with one about Grace all others have come.
    private func calls() throws -> [String] {
        let count = receiver.received.count
        let patch = "{\"name\": \"Grace \(seen.calls)\"}"
        #expect(bench.admin(.patch, "/users/\(Grace.id)", patch).status == .ok)
        for number in (count + 1)... {
            try bench.awaitCalls(number)
            let calls = try receiver.received.map { call in
                let claims = try bench.claims(of: call)
                guard case .string(let event)? = claims["evt"], case .object(let data)? = claims["data"],
                    case .string(let user)? = data["id"]
                else { throw HookMissing() }
                return "webhook \(event) \(user)"
            }
            if calls.dropFirst(seen.calls).contains(Self.last) { return calls }
        }
        throw HookMissing()
    }
}
