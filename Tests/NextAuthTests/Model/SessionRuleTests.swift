import Crypto
import Essentials
import Testing

@testable import NextAuth

@Suite struct SessionRuleTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func session(pingTime: Int, appLoginTimeout: Int? = nil) -> DeviceSession {
        DeviceSession(
            id: "s", instance: "i", server: "v", account: 1, hsid: "h", type: .appLogin, pingTime: pingTime,
            appLoginTimeout: appLoginTimeout, startedAt: start, lastPingAt: start)
    }

    @Test func `a session without a ping ends two seconds after its ping time`() {
        #expect(session(pingTime: 300).deadline?.at == start + 302)
        #expect(session(pingTime: 300).deadline?.ending == .pingTimeout)
        #expect(session(pingTime: 300).nextPingSeconds == 150)
    }

    @Test func `a one-shot login has no end of its own`() {
        #expect(session(pingTime: 0).deadline == nil)
        #expect(session(pingTime: 0).nextPingSeconds == 0)
    }

    @Test func `the app's own limit ends an AppLogin that is pinged`() {
        var session = session(pingTime: 300, appLoginTimeout: 600)
        #expect(session.deadline?.ending == .pingTimeout)
        session.lastPingAt = start + 500
        #expect(session.deadline?.at == start + 600)
        #expect(session.deadline?.ending == .appLoginTimeout)
    }

    @Test func `the missed ping is named`() {
        let told = session(pingTime: 300).explanation(of: .pingTimeout, at: start + 312)
        #expect(told == "The last ping came 312 s ago, pingTime is 300 s.")
    }

    private func account(isBlocked: Bool = false) -> Account {
        Account(
            id: 7, server: "v", instance: "i", publicKey: "k", name: "n", description: "d",
            isBlocked: isBlocked, createdAt: start)
    }

    @Test func `a login can be pushed after a login, while no user is logged in and the account is good`() {
        var session = WebSession(server: "v", hsid: "h", changedAt: start)
        #expect(!session.canProvoke(account()))
        (session.state, session.lastAccount) = (.loggedOut, 7)
        #expect(session.canProvoke(account()))
        #expect(!session.canProvoke(account(isBlocked: true)))
        #expect(!session.canProvoke(nil))
        session.state = .loggedIn
        #expect(!session.canProvoke(account()))
    }

    @Test func `equal nonces have equal session ids on one server, and others on another`() {
        var secret = [UInt8](repeating: 0x0B, count: 20)
        func server() -> Server {
            Server(id: "v", key: [], publicKey: "", secret: Base64URL.encode(secret), name: "n")
        }
        // RFC 4231 §4.2, test case 1.
        let expected: [UInt8] = [
            0xb0, 0x34, 0x4c, 0x61, 0xd8, 0xdb, 0x38, 0x53, 0x5c, 0xa8, 0xaf, 0xce, 0xaf, 0x0b, 0xf1, 0x2b,
            0x88, 0x1d, 0xc2, 0x00, 0xc9, 0x83, 0x3d, 0xa7, 0x26, 0xe9, 0x37, 0x6c, 0x2e, 0x32, 0xcf, 0xf7,
        ]
        #expect(server().hashedSessionID(of: "Hi There") == Base64URL.encode(expected))
        secret[0] = 0
        #expect(server().hashedSessionID(of: "Hi There") != Base64URL.encode(expected))
    }
}
