import Crypto
import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

/// What a back end does, without its API.
struct BackEnd {
    let bench: TestBench<NextAuth>

    private var platform: NextAuth { NextAuth(bench.world) }

    func server(in turn: Turn) throws -> Server {
        try #require(try Server.find(Cast.serverID, in: turn.db))
    }

    func enrolmentCode(_ nonce: String = "nonce", name: String = "ada@phone", user: String? = "ada") throws
        -> String
    {
        try platform.change { turn in
            let server = try server(in: turn)
            let code = try platform.accounts.makeEnrolmentCode(name, user: user, nonce, of: server, in: turn)
            return CodeData(
                kind: .enrol, base: "http://localhost:8420/nextauth", server: server.id, hsid: code.hsid,
                ticket: code.ticket
            ).text
        }
    }

    func loginCode(_ nonce: String = "browser", _ context: UserContext = UserContext()) throws -> String {
        try platform.change { turn in
            let server = try server(in: turn)
            let session = try platform.logins.openWebSession(nonce, of: server, context, in: turn)
            return CodeData(
                kind: .login, base: "http://localhost:8420/nextauth", server: server.id, hsid: session.hsid
            ).text
        }
    }

    /// Like getSession.
    func session(_ nonce: String) throws -> WebSession {
        try platform.look { db, now in
            let server = try #require(try Server.find(Cast.serverID, in: db))
            let hsid = server.hashedSessionID(of: nonce)
            return try WebSession.find(hsid, of: server.id, in: db)
                ?? WebSession(server: server.id, hsid: hsid, changedAt: now)
        }
    }

    func canProvoke(_ nonce: String) throws -> Bool {
        let session = try session(nonce)
        return try platform.look { db, _ in try platform.logins.canProvoke(session, in: db) }
    }

    func logOut(_ nonce: String) throws {
        let session = try session(nonce)
        let wasIn = try platform.change { turn in try platform.logins.logOut(session, in: turn) }
        #expect(wasIn)
    }

    func provoke(_ nonce: String, _ account: Int, announceInfo: JSONValue? = nil) throws {
        try platform.change { turn in
            let server = try server(in: turn)
            let session = try platform.logins.openWebSession(nonce, of: server, in: turn)
            let account = try #require(try Account.find(account, in: turn.db))
            try platform.announcements.push(
                .login, to: account, hsid: session.hsid, announceInfo: announceInfo, in: turn)
        }
    }

    func block(_ account: Int, _ isBlocked: Bool = true) throws {
        try platform.change { turn in
            let account = try #require(try Account.find(account, in: turn.db))
            _ = try platform.accounts.setBlocked(isBlocked, account, in: turn)
        }
    }

    func delete(_ account: Int) throws {
        try platform.change { turn in
            try platform.accounts.remove(#require(try Account.find(account, in: turn.db)), in: turn)
        }
    }

    func change(_ body: (inout Server) -> Void) throws {
        try platform.change { turn in
            var server = try server(in: turn)
            body(&server)
            try turn.db.update(server)
            try platform.announcements.tellUpdate(of: server, in: turn)
        }
    }

    /// A transaction for the account that is logged in, pushed to it; with the code for one that is scanned.
    func transaction(_ nonce: String, _ account: Int) throws -> (id: String, code: String) {
        let session = try session(nonce)
        return try platform.change { turn in
            let transaction = SignTransaction(
                id: platform.services.entropy.pathSafeBase64(for: "test"), server: Cast.serverID,
                hsid: session.hsid,
                account: account, amount: "12 EUR", benificiary: "Bob", description: "Lunch",
                createdAt: turn.now)
            try turn.db.insert(transaction)
            let code = Code(
                ticket: platform.services.entropy.token(for: "test"), kind: .sign, server: Cast.serverID,
                hsid: session.hsid, transaction: transaction.id, createdAt: turn.now,
                expiresAt: turn.now + 600)
            try turn.db.insert(code)
            let owner = try #require(try Account.find(account, in: turn.db))
            try platform.announcements.push(
                .transaction, to: owner, hsid: session.hsid, transaction: transaction.id, in: turn)
            let data = CodeData(
                kind: .sign, base: "http://localhost:8420/nextauth", server: Cast.serverID,
                hsid: session.hsid, ticket: code.ticket)
            return (transaction.id, data.text)
        }
    }

    func status(_ transaction: String) throws -> String? {
        try platform.look { db, _ in try SignTransaction.find(transaction, in: db)?.status.rawValue }
    }

    /// The frames that a browser would see on this session.
    func frames(_ nonce: String) throws -> [String] {
        let hsid = try session(nonce).hsid
        return try bench.world.database.read { db in
            try Signal.all(after: 0, in: db).filter { $0.hsid == hsid }.map(\.kind.rawValue)
        }
    }
}
