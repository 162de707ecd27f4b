import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// Mobile authentication API v1: without credentials, and only where it is switched on.
struct Version1Tests {
    private static let enabled = "\"callback_retries\": 0, \"deprecated_api_enabled\": true"

    private func start(_ bench: MobileBench, _ form: [(String, String)]) -> Response {
        let body = form.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
        return bench.bench.send(
            .post, "/oauth/authenticate/user", body: Array(body.utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
    }

    @Test func `off, it answers 404 and names the setting`() throws {
        let bench = try MobileBench()
        for path in ["user/ada/enabled", "user/ada/enabled/otp", "transaction/x"] {
            let answer = bench.bench.get("/oauth/authenticate/" + path)
            #expect(answer.status == .notFound && answer.fields["error_code"] == "1000")
            #expect(bench.bench.explanation?.contains("deprecated_api_enabled") == true)
        }
        #expect(start(bench, MobileBench.otpForm()).fields["error_code"] == "1000")
    }

    @Test func `it tells which types reach a user, by name or one by one`() throws {
        let bench = try MobileBench(Self.enabled)
        let list = try bench.bench.get("/oauth/authenticate/user/ada/enabled").json(JSONValue.self)
        #expect(list["enabled"]?.strings?.contains("otp") == true)
        #expect(bench.bench.get("/oauth/authenticate/user/ada/enabled/otp").text == "{\"enabled\":true}")
        #expect(bench.bench.get("/oauth/authenticate/user/ada/enabled/none").text == "{\"enabled\":false}")
        #expect(bench.bench.get("/oauth/authenticate/user/nobody/enabled").text == "{\"enabled\":[]}")
    }

    @Test func `an OTP transaction starts, is scanned and is fetched without credentials`() throws {
        let bench = try MobileBench(Self.enabled)
        let started = start(bench, MobileBench.otpForm()).fields
        #expect(started["auth_method"] == "otp")
        #expect(try bench.fetch(started["otp"] ?? "").status == .ok)
        let result = bench.bench.get("/oauth/authenticate/transaction/" + (started["transaction_id"] ?? ""))
        #expect(result.status == .ok && result.fields["is_authenticated"] == "false")
        #expect(bench.bench.get("/oauth/authenticate/transaction/none").fields["error_code"] == "3004")
    }

    @Test func `nothing is signed yet`() throws {
        let settings =
            Self.enabled + ", \"types\": [{\"name\": \"push\", \"method\": \"PUSH\", \"signing\": true}]"
        let bench = try MobileBench(settings)
        let form = [
            ("type", "push"), ("user_id", "ada"), ("callback_uri", MobileBench.callbackURI),
            ("message", "Pay?"),
            ("signing_data", "42"),
        ]
        let id = start(bench, form).fields["transaction_id"] ?? ""
        let kept = try bench.onegini.database.read {
            try $0.mobileTransaction(id, at: bench.bench.clock.now)
        }
        #expect(kept?.method == .push && kept?.signingData == nil && kept?.portal == "")
    }
}
