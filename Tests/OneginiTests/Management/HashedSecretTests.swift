import Essentials
import HTTP
import OpenID
import TestKit
import Testing

@testable import Onegini

struct HashedSecretTests {
    typealias Bench = ManagementBench

    /// Source: the vendor's guide “Migration of Web Clients with hashed secrets”; the secret was found by trying words.
    static let published = "$pbkdf2-sha1$i=10000$test$E3B0M7MEBhwTsFDZAIA7hWQ2Zpc="

    private func body(_ hash: String) -> String {
        """
        {"name": "Old", "client_id": "old", "hashed_client_secret": "\(hash)", "grant_types": ["CLIENT_CREDENTIALS"],
         "access_token_expires_in": 60, "additional_scopes": ["email"]}
        """
    }

    private func logIn(_ secret: String, _ bench: Bench) -> Response {
        bench.bench.send(
            .post, "/oauth/v1/token", body: Array("grant_type=client_credentials&scope=email".utf8),
            headers: [
                "Authorization": "Basic " + Bench.encoded("old:" + secret),
                "Content-Type": "application/x-www-form-urlencoded",
            ])
    }

    @Test func `the published hash is that of its secret and of no other`() throws {
        #expect(try HashedSecret(Self.published).matches("test"))
        #expect(try !HashedSecret(Self.published).matches("Test"))
    }

    // Source: RFC 6070, the second vector, as a PHC string without padding.
    @Test func `the RFC's vector is read without padding`() throws {
        let hash = try HashedSecret("$pbkdf2-sha1$i=2$c2FsdA$6mwBTcctb4zNHtkqzh1B8NjeiVc")
        #expect(try hash.matches("password"))
    }

    @Test func `a client proves itself by the secret of which the server has the hash`() throws {
        let bench = try Bench()
        #expect(bench.post(WebClientTests.path, body(Self.published)).status == .created)

        #expect(logIn("test", bench).status == .ok)
        let refused = logIn("wrong", bench)
        #expect(refused.status == .unauthorized)
        #expect(refused.fields["error"] == "invalid_client")
        #expect(
            !bench.get(WebClientTests.path + "/old").text.contains("pbkdf2"), "a hash is never given back")
    }

    @Test func `a plain secret takes the place of the hash`() throws {
        let bench = try Bench()
        _ = bench.post(WebClientTests.path, body(Self.published))
        #expect(
            bench.patch(WebClientTests.path + "/old", "{\"client_secret\": \"new\"}").status == .noContent)

        #expect(logIn("test", bench).status == .unauthorized)
        #expect(logIn("new", bench).status == .ok)
    }

    @Test(arguments: [
        (
            "$bcrypt$c=12$T/jBeKR12ikAWTPPZ5mj4Q$RUV/BRiDmssw1kAUu9MKWiQ4v2lYOWY",
            "bcrypt, which is not emulated"
        ),
        (
            "$argon2id$i=2,m=65536,p=1$dGVzdA==$otNQ21ttnzeFdwPncWePGZpLhNp6Tyss/r0RU3G+9sY=",
            "argon2id, which is not emulated"
        ),
        ("$pbkdf2-sha1$i=0$test$E3B0", "with i from 1"),
        ("$pbkdf2-sha1$i=999999999999999999999$test$E3B0", "with i from 1"),
        ("$pbkdf2-sha1$i=10$te*t$E3B0", "in base64"),
        ("$pbkdf2-sha1$i=10$test$", "in base64"),
        ("plain", "must be of the form"),
        ("$md5$x$y$z", "must begin with $pbkdf2-sha1$"),
    ])
    func `any other hash is refused with its name`(hash: String, reason: String) throws {
        let bench = try Bench()
        let response = bench.post(WebClientTests.path, body(hash))

        #expect(response.status == .badRequest)
        #expect(
            response.text == """
                {"code":"invalid_request","details":["hashed_client_secret"],"message":"One or more parameters is missing \
                or incorrect."}
                """)
        #expect(bench.bench.explanation?.contains(reason) == true)
    }
}
