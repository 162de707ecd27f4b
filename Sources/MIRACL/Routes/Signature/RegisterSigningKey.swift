import Essentials
import HTTP
import SQLite

extension MIRACL {
    /// `POST /rps/v2/dvsregister`: a key pair for signatures, or a new one for an identity that has to be renewed.
    ///
    /// - Request: `{"publicKey": 256 hexadecimal digits, "deviceName"?, "dvsRegisterToken"}`, the token from a proof with scope
    ///   `dvs-reg` or from one that asked for a renewal.
    /// - Response: `200 {"mpinId", "dvsClientSecretShare", "cs2url", "curve": "BN254CX", "dtas"}`. The identity is a new one with
    ///   the scope `dvs`; at a renewal the old one, which takes the new key with its first good proof.
    /// - Errors: `403` for a token that is wrong or used; `400` for a key that is none.
    /// - Source: client-js 4 to 7; trust-sdk-ios.
    func registerSigningKey(_ request: Request) throws -> Response {
        let input = try Members(request)
        let token = try input.text("dvsRegisterToken")
        let deviceName = try input.optionalText("deviceName")
        guard let key = try publicKey(input.text("publicKey")) else {
            throw RequestRefusal.memberMissing("publicKey")
        }
        let project = try requireProject(request, ofToken: token)
        let outcome = try database.write { db -> Result<(Identity, ShareTicket), SignatureRefusal> in
            switch try spend(token, in: project, db) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let code):
                let identity = try keyed(key, by: code, deviceName, in: project, db)
                try note("registration", "dvs_registration_success", of: identity, request, in: db)
                return .success((identity, try makeTicket(.second, for: identity, in: project, db)))
            }
        }
        let (identity, ticket) = try outcome.get()
        var answer = try shares(of: identity.offered, in: project, ticket, request)
        answer["mpinId"] = .string(identity.mpinID)
        // For the classic client, which knows no key pairs.
        answer["params"] = nil
        return .answer(answer)
    }

    private func requireProject(_ request: Request, ofToken token: String) throws -> Project {
        let own = try database.read { db in try codes.find([.dvsRegister], token, db)?.projectID }
        do {
            return try requireProject(request, named: nil, or: own)
        } catch RequestRefusal.projectMissing {
            throw SignatureRefusal.registerToken(.unknown)
        }
    }

    private func spend(
        _ token: String, in project: Project, _ db: Connection
    ) throws -> Result<OneTimeCode, SignatureRefusal> {
        guard let code = try codes.find([.dvsRegister], token, in: project.id, db) else {
            return .failure(.registerToken(.unknown))
        }
        guard code.spentAt == nil else { return .failure(.registerToken(.spent)) }
        guard code.expiresAt > now else { return .failure(.registerToken(.expired(code.expiresAt))) }
        try codes.spend(code, at: now, in: db)
        return .success(code)
    }

    /// The identity that has the key now, or is offered it, stored.
    private func keyed(
        _ key: String, by code: OneTimeCode, _ deviceName: String?, in project: Project, _ db: Connection
    ) throws -> Identity {
        if code.origin == .renewal, let id = code.mpinID, var renewed = try identities.find(id, in: db) {
            renewed.offer(Secrets(publicKey: key, dtas: try project.dtas()))
            try identities.update(renewed, in: db)
            return renewed
        }
        var identity = try makeIdentity(
            of: code.userID, in: project, deviceName: deviceName ?? code.deviceName, purpose: .signing,
            state: .issued, origin: .renewal)
        identity.publicKey = key
        try identities.insert(identity, in: db)
        return identity
    }
}
