import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// One user, changed while the server runs.
struct UserChangeTests {
    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func refusal(_ id: String, _ change: UserChange) -> UserRefusal? {
        #expect(throws: UserRefusal.self) { try bench.server.changeUser(id, change) }
    }

    @Test func `a change reaches user info at once, and what it does not name stays`() throws {
        let token = try bench.loggedIn()["access_token"]
        let change = UserChange.merge(["claims": ["name": "Alice B.", "email": .null]])
        let (entry, isNew) = try bench.server.changeUser(TokenCast.alice, change)
        #expect(!isNew && entry["username"] == "alice" && entry["password"] == "wonderland")
        let told = bench.userinfo(token).fields
        #expect(told["name"] == "Alice B." && told["given_name"] == "Alice" && told["email"] == nil)
        #expect(try bench.server.user(TokenCast.alice) == entry)
    }

    @Test func `a replacement forgets what it does not name, and makes who is not there`() throws {
        let (entry, isNew) = try bench.server.changeUser("bob", .replace(["claims": ["name": "Bob"]]))
        #expect(isNew && entry == ["sub": "bob", "username": "bob", "claims": ["name": "Bob"]])
        let again = try bench.server.changeUser("bob", .replace(["username": "bobby"]))
        #expect(!again.isNew && again.entry == ["sub": "bob", "username": "bobby"])
    }

    @Test func `what is no user is refused, and changes nothing`() throws {
        let before = try bench.server.user(TokenCast.alice)
        _ = try bench.server.changeUser("bob", .replace([:]))
        #expect(refusal("nobody", .merge([:])) == .unknown("nobody"))
        #expect(
            refusal("bob", .merge(["username": "alice"]))
                == .taken("The user name “alice” is somebody else's."))
        for wrong: JSONValue in [["sub": "x"], ["name": "Bob"], ["claims": ["a"]], ["username": 7]] {
            guard case .invalid = refusal("bob", .merge(wrong)) else {
                Issue.record("\(wrong)")
                continue
            }
        }
        guard case .invalid = refusal("naïve", .replace([:])) else { return #expect(Bool(false)) }
        #expect(try bench.server.user(TokenCast.alice) == before)
        #expect(try bench.server.user("bob") == ["sub": "bob", "username": "bob"])
    }
}
