import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Who calls the device protocol, and whether what it proves is right.
extension NextAuth {
    /// The installation whose token the request brings.
    func requireDevice(_ request: Request, in db: Connection) throws -> Instance {
        let words = (request.headers["Authorization"] ?? "").split(separator: " ")
        guard words.count == 2, String(words[0]).equalsIgnoringCase("Device") else {
            throw DeviceRefusal.tokenMissing
        }
        return try requireDevice(token: String(words[1]), in: db)
    }

    func requireDevice(token: String, in db: Connection) throws -> Instance {
        guard let instance = try Instance.find(tokenDigest: Instance.digest(of: token), in: db) else {
            throw DeviceRefusal.tokenUnknown
        }
        return instance
    }

    /// One turn on behalf of a device.
    func change<Value: Sendable>(
        for request: Request, _ body: (Instance, Turn) throws -> Value
    ) throws -> Value {
        try change { turn in try body(requireDevice(request, in: turn.db), turn) }
    }

    /// Why the signature of an account is refused; nil when it is right.
    func refusal(
        of signature: String, _ text: SignedText, by account: Account, in db: Connection
    ) throws -> DeviceRefusal? {
        guard let key = DeviceKey.publicKey(account.publicKey) else {
            return .accountUnknown(String(account.id))
        }
        guard let fault = text.fault(of: signature, by: key) else { return nil }
        guard case .unknown = fault else { return .signatureWrong(fault) }
        for other in try Account.all(ofInstance: account.instance, in: db) where other.id != account.id {
            if let key = DeviceKey.publicKey(other.publicKey), text.fault(of: signature, by: key) == nil {
                return .signatureWrong(.otherAccount(other.id))
            }
        }
        return .signatureWrong(fault)
    }

    func account(_ id: Int, of instance: Instance, in db: Connection) throws -> Account {
        guard let account = try Account.find(id, in: db), account.instance == instance.id else {
            throw DeviceRefusal.accountUnknown(String(id))
        }
        services.journal.concern(account.user ?? account.name)
        return account
    }
}
