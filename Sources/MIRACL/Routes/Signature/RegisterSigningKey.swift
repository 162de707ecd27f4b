import Essentials
import HTTP
import PlatformKit
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
        guard let key = try Shares.publicKey(input.text("publicKey")) else {
            throw RequestRefusal.memberMissing("publicKey")
        }
        let project = try requireProject(request, ofToken: token)
        let (identity, ticket) = try world.change { turn in
            let code = try registrations.spend(token, in: project, turn)
            let identity = try registrations.keyed(key, by: code, deviceName, in: project, turn)
            try turn.audit("registration", "dvs_registration_success", of: identity, request)
            return (identity, try shares.makeTicket(.second, for: identity, in: project, turn))
        }
        var answer = try shares.shares(of: identity.offered, in: project, ticket, request)
        answer["mpinId"] = .string(identity.mpinID)
        // For the classic client, which knows no key pairs.
        answer["params"] = nil
        return .answer(answer)
    }

    private func requireProject(_ request: Request, ofToken token: String) throws -> Project {
        let own = try database.read { db in try OneTimeCode.find([.dvsRegister], token, db)?.projectID }
        do {
            return try projects.require(request, named: nil, or: own)
        } catch let refusal as RequestRefusal where refusal.isProjectMissing {
            throw SignatureRefusal.registerToken(.unknown)
        }
    }
}
