import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

// Who calls the device protocol, and whether what it proves is right.

extension Request {
    /// The installation whose token the request brings.
    func requireDevice(in db: Connection) throws -> Instance {
        let words = (headers["Authorization"] ?? "").split(separator: " ")
        guard words.count == 2, String(words[0]).equalsIgnoringCase("Device") else {
            throw DeviceRefusal.tokenMissing
        }
        return try Instance.require(token: String(words[1]), in: db)
    }
}

extension NextAuth {
    /// One turn on behalf of a device.
    func change<Value: Sendable>(
        for request: Request, _ body: (Instance, Turn) throws -> Value
    ) throws -> Value {
        try change { turn in try body(request.requireDevice(in: turn.db), turn) }
    }
}

extension Instance {
    static func require(token: String, in db: Connection) throws -> Instance {
        guard let instance = try find(tokenDigest: digest(of: token), in: db) else {
            throw DeviceRefusal.tokenUnknown
        }
        return instance
    }

    func account(_ id: Int, in db: Connection) throws -> Account {
        guard let account = try Account.find(id, in: db), account.instance == self.id else {
            throw DeviceRefusal.accountUnknown(String(id))
        }
        return account
    }

    /// The device's session, which runs.
    func requireSession(_ id: String, at turn: Turn) throws -> DeviceSession {
        guard let login = try DeviceSession.find(id, of: self.id, in: turn.db) else {
            throw DeviceRefusal.sessionUnknown(id)
        }
        guard let endedAt = login.endedAt, let ending = login.ending else { return login }
        throw DeviceRefusal.sessionEnded(
            because: "The session ended \(turn.now.seconds(since: endedAt)) s ago with \(ending.rawValue). "
                + login.explanation(of: ending, at: turn.now))
    }

    /// With its challenge spent.
    func redeeming(_ challenge: String, at turn: Turn) throws -> Instance {
        guard let open = self.challenge, open.text == challenge, turn.now < open.expiresAt else {
            throw DeviceRefusal.stateWrong(
                "The challenge is not the one that POST /instance/challenge gave last, was used, or has expired."
            )
        }
        var instance = self
        instance.challenge = nil
        return instance
    }

    /// What a device says of itself is kept, so it has an end.
    static func requireShort(_ texts: [String?]) throws {
        for text in texts.compactMap({ $0 }) where text.count > 4096 {
            throw DeviceRefusal.malformed("A text of \(text.count) characters; at most 4096 are kept.")
        }
    }
}

extension Account {
    /// Why the signature of an account is refused; nil when it is right.
    func refusal(of signature: String, _ text: SignedText, in db: Connection) throws -> DeviceRefusal? {
        guard let key = DeviceKey.publicKey(publicKey) else {
            return .accountUnknown(String(id))
        }
        guard let fault = text.fault(of: signature, by: key) else { return nil }
        guard case .unknown = fault else { return .signatureWrong(fault) }
        for other in try Self.all(ofInstance: instance, in: db) where other.id != id {
            if let key = DeviceKey.publicKey(other.publicKey), text.fault(of: signature, by: key) == nil {
                return .signatureWrong(.otherAccount(other.id))
            }
        }
        return .signatureWrong(fault)
    }
}
