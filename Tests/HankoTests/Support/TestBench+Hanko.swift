import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

extension TestBench where P == Hanko {
    /// Ada and Grace, verified, in a world with MFA off.
    ///
    /// - Parameters:
    ///   - config: members of `config` beside `mfa`: `"session": {"limit": 1}`.
    ///   - section: members of `hanko` beside `config` and `users`.
    static func classic(config: String = "", section: String = "", seed: UInt64 = 1) throws -> TestBench<
        Hanko
    > {
        try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {
                    "hanko": {
                        "config": {"mfa": {"enabled": false}, \(config)},
                        "users": [
                            {"id": "\(Ada.id)", "emails": [{"id": "\(Ada.emailID)", "address": "\(Ada.address)"}]},
                            {"id": "\(Grace.id)", "emails": [{"id": "\(Grace.emailID)", "address": "\(Grace.address)"}]},
                        ],
                        \(section)
                    },
                }
                """,
            seed: seed)
    }

    /// The same, with tokens in `X-Auth-Token` as the mobile guide has it.
    static func mobile(config: String = "", section: String = "") throws -> TestBench<Hanko> {
        try classic(config: "\"session\": {\"enable_auth_token_header\": true}, " + config, section: section)
    }

    struct Started: Decodable {
        let id: String
        let ttl: Int
        let created_at: String
    }

    /// Asks for a passcode and reads it from the outbox.
    func startPasscode(
        for userID: String, emailID: String? = nil, headers: Headers = [:]
    ) throws -> (id: String, code: String) {
        var body = ["user_id": userID]
        body["email_id"] = emailID
        let response = try post("/hanko/passcode/login/initialize", body, headers: headers)
        #expect(response.status == .ok, "\(response.text)")
        let code = try #require(try messages.first?.message.code)
        return (try response.json(Started.self).id, code)
    }

    func finishPasscode(_ id: String, _ code: String, headers: Headers = [:]) throws -> Response {
        try post("/hanko/passcode/login/finalize", ["id": id, "code": code], headers: headers)
    }

    /// Signs in with a passcode; the token from wherever it went.
    func signIn(_ userID: String, headers: Headers = [:]) throws -> String {
        // Tests sign in more often than three times a minute.
        try clock.advance(seconds: 60)
        let (id, code) = try startPasscode(for: userID)
        let response = try finishPasscode(id, code, headers: headers)
        #expect(response.status == .ok, "\(response.text)")
        return try #require(response.sessionToken)
    }

    /// A code that is wrong whatever the right one is.
    func wrong(_ code: String) -> String { code == "111111" ? "222222" : "111111" }

    struct Created: Decodable {
        let id: String
        let user_id: String
        let email_id: String
    }

    func register(_ address: String) throws -> Created {
        let response = try post("/hanko/users", ["email": address])
        #expect(response.status == .ok, "\(response.text)")
        return try response.json(Created.self)
    }

    /// The events of the newest request, oldest first, without those of the audit log.
    var events: [JournalEntry] {
        let correlation = journal.first { $0.kind == .request }?.correlation
        return journal.filter {
            $0.kind == .event && $0.correlation == correlation && $0.event != "audit log"
        }.reversed()
    }
}

extension Response {
    /// From `X-Auth-Token`, or else from the cookie `hanko`.
    var sessionToken: String? {
        if let token = headers["X-Auth-Token"] { return token }
        let cookie = headers.values(of: "Set-Cookie").first { $0.hasPrefix("hanko=") }
        return cookie.map { String($0.dropFirst(6).prefix { $0 != ";" }) }
    }
}

extension Headers {
    static func bearer(_ token: String) -> Headers { ["Authorization": "Bearer \(token)"] }
    static func cookie(_ token: String) -> Headers { ["Cookie": "hanko=\(token)"] }
}

/// The body of a refusal with the standard reason phrase or the given message.
func refusal(_ code: Int, _ message: String) -> String { "{\"code\":\(code),\"message\":\"\(message)\"}\n" }

extension Configuration {
    init(json: String) throws { self = try JSONDecoder().decode(Configuration.self, from: Data(json.utf8)) }
}
