import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Source: Hanko, tests of the handlers of the admin API, “missing user id” and the like.
struct EmptyIDTests {
    @Test(arguments: [
        (Request.Method.get, "/users//emails", "user_id"), (.post, "/users//emails", "user_id"),
        (.get, "/users//emails/\(Ada.emailID)", "user_id"), (.get, "/users/\(Ada.id)/emails/", "email_id"),
        (.delete, "/users/\(Ada.id)/emails/", "email_id"),
        (.post, "/users/\(Ada.id)/emails//set_primary", "email_id"),
        (.get, "/users//webauthn_credentials", "user_id"), (.get, "/users//password", "user_id"),
        (.put, "/users//password", "user_id"), (.delete, "/users//otp", "user_id"),
        (.get, "/users//sessions", "user_id"), (.delete, "/users/\(Ada.id)/sessions/", "session_id"),
        (.get, "/users//metadata", "user_id"),
    ])
    func `an empty id in a path is 400, as any that is none`(
        method: Request.Method, path: String, name: String
    ) throws {
        let bench = try TestBench.admin()
        for base in ["/hanko-admin", "/hanko/admin"] {
            let answer = bench.send(method, base + path)
            #expect(answer.status == .badRequest)
            #expect(
                answer.fields["message"]?.contains("\(name) is a required field") == true, "\(answer.text)")
            #expect(bench.explanation?.contains("The \(name) in the path is empty.") == true)
        }
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `other paths that nobody has stay 404`() throws {
        let bench = try TestBench.admin()
        for path in ["/users//nothing", "//users", "/hanko-admin//", "/users/\(Ada.id)/emails//more"] {
            #expect(bench.get("/hanko-admin" + path).status == .notFound)
        }
        #expect(bench.get("/hanko/users//emails").status == .notFound)
    }
}
