import Crypto
import Essentials
import HTTP
import PlatformKit
import Testing
import TestKit

@testable import MIRACL

/// `POST /otp`: back ends check one-time passwords.
@Suite struct PasswordTests {
    private let bench: TestBench<MIRACL>
    private let phone: Phone

    init() throws {
        bench = try .shop()
        phone = try Phone(bench)
    }

    private func password() throws -> String { try text(phone.authenticate(scope: ["otp"]).object(), "otp") }

    private func check(
        _ password: String, of user: String? = "ada@example.com", _ authorization: String = Shop.basic
    ) -> Response {
        bench.call(
            .post, "/otp", ["userId": user.map(JSONValue.string) ?? .null, "otp": .string(password)],
            ["Authorization": authorization])
    }

    private func isRefused(_ response: Response) -> Bool {
        response.isRefusal(.unauthorized, "UNAUTHORIZED", "The one-time password is wrong")
    }

    @Test(arguments: ["ada@example.com", nil])
    func `a password is good once`(_ user: String?) throws {
        let password = try password()
        let answer = check(password, of: user)
        #expect(answer.status == .ok)
        #expect(try answer.object() == ["status": 200, "message": "OK", "userId": "ada@example.com"])
        #expect(isRefused(check(password, of: user)))
        #expect(bench.explanation?.contains("it was already used") == true)
    }

    @Test func `a password lives a minute`() throws {
        let password = try password()
        bench.time.advance(seconds: 60)
        #expect(isRefused(check(password)))
        #expect(bench.explanation?.contains("it expired at 2026-01-02T03:05:05") == true)
    }

    @Test func `another user's or another project's password is refused`() throws {
        let password = try password()
        #expect(isRefused(check(password, of: "grace@example.com")))
        #expect(bench.explanation == "The one-time password is not good: it is for ada@example.com.")
        #expect(isRefused(check(password, Shop.strangerBasic)))
        #expect(bench.explanation == "The one-time password is not good: it was never issued.")
        #expect(check(password).status == .ok)
    }

    @Test func `five wrong ones spend the right one`() throws {
        let password = try password()
        for _ in 1...5 { #expect(isRefused(check(password == "000000" ? "000001" : "000000"))) }
        #expect(isRefused(check(password)))
    }

    @Test func `a registration code is no password`() throws {
        let code = try text(phone.authenticate(scope: ["reg-code"]).object(), "otp")
        #expect(isRefused(check(code)))
    }

    @Test func `who asks has to prove it, and to say what`() throws {
        #expect(
            bench.call(.post, "/otp", ["otp": "1"]).isRefusal(.unauthorized, "UNAUTHORIZED", "Unauthorized"))
        #expect(
            check("1", "Basic " + Base64.encode(Array("shop-app:wrong".utf8))).isRefusal(
                .unauthorized, "UNAUTHORIZED", "Unauthorized"))
        #expect(check("").isRefusal(of: "otp"))
    }

    @Test func `the page shows what is good now`() throws {
        let password = try password()
        let page = bench.get("/miracl/otpgen?client_id=shop-app")
        #expect(page.status == .ok)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<code>\(password)</code> of ada@example.com, 60 s left"))
        #expect(check(password).status == .ok)
        #expect(!bench.get("/miracl/otpgen?client_id=shop-app").text.contains(password))
        #expect(!bench.get("/miracl/otpgen?client_id=bank-app").text.contains(password))
        #expect(bench.get("/miracl/otpgen?client_id=nobody").isRefusal(of: "client_id"))
        #expect(bench.explanation == "No application has the client id “nobody”.")
    }
}
