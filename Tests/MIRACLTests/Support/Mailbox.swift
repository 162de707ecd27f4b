import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

extension TestBench<MIRACL> {
    static var user: String { "ada@example.org" }

    /// Asks for a mail, and gives the newest message.
    func mail(_ more: [String: JSONValue] = [:]) throws -> (answer: Response, mail: SentMessage?) {
        let answer = try post(
            "/miracl/verification/email",
            more.merging([
                "userId": .string(Self.user), "projectId": "blue", "deviceName": "phone",
            ]) { one, _ in one })
        return (answer, try messages.first)
    }

    func confirm(_ code: String, as user: String = Self.user) throws -> Response {
        try post("/miracl/verification/confirmation", ["userId": user, "code": code])
    }

    /// An activation token, by mail.
    func activationToken() throws -> String {
        let code = try #require(mail().mail?.message.code)
        return try #require(confirm(code).members["actToken"]?.string)
    }
}
