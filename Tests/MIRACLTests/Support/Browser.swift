import Essentials
import HTTP
import TestKit
import Testing

@testable import MIRACL

/// Who waits for a phone: the session that was opened, and the questions that follow.
struct Browser {
    let bench: TestBench<MIRACL>
    let webOTT: String
    let accessID: String
    let qrURL: String

    static let authorization =
        "client_id=shop&redirect_uri=https%3A%2F%2Fshop.example%2Flogin&response_type=code"
        + "&scope=openid%20email&state=some-state&nonce=some-nonce"

    /// - Parameter opened: the answer to a request that opens a session.
    init(_ bench: TestBench<MIRACL>, _ opened: Response) throws {
        try #require(opened.status == .ok, "\(opened.text)")
        self.bench = bench
        webOTT = try #require(opened.members["webOTT"]?.string)
        accessID = try #require(opened.members["accessId"]?.string)
        qrURL = try #require(opened.members["qrURL"]?.string)
    }

    /// Waits at the relying party's login.
    init(_ bench: TestBench<MIRACL>) throws {
        try self.init(bench, bench.send(.post, "/miracl/authorize?" + Self.authorization))
    }

    var access: Response {
        get throws { try bench.post("/miracl/rps/v2/access", ["webOTT": webOTT]) }
    }

    var status: String? { get throws { try access.members["status"]?.string } }

    /// What the phone tells.
    func tell(_ status: String, _ more: [String: JSONValue] = [:]) throws -> Response {
        try bench.post(
            "/miracl/rps/v2/codeStatus",
            more.merging(["status": .string(status), "wid": .string(accessID)]) { one, _ in one })
    }

    /// The code that came back with the redirect.
    var code: String? {
        get throws {
            let url = try access.members["redirectURL"]?.string
            return url.flatMap { Form($0.behind("?"))["code"] }
        }
    }
}

extension String {
    /// What stands behind the first `mark`.
    func behind(_ mark: Character) -> String {
        firstIndex(of: mark).map { String(self[index(after: $0)...]) } ?? ""
    }
}
