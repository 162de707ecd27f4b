import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `PUT /dvs/session`: the app brings the signature.
    ///
    /// - Request: `{"id", "signature": {"hash", "mpinId", "u", "v", "publicKey", "dtas"}, "timestamp": seconds}`.
    /// - Response: `200 {"status": "signed"}`. Who polls the session hears of it, with the signature as Base64 of its JSON.
    /// - Errors: `400 INVALID_REQUEST_PARAMETERS`, `params` being `id` for a session that is unknown or over, `signature` for one
    ///   that is of another document or user, or wrong.
    /// - Source: trust-sdk-ios.
    func finishSigningSession(_ request: Request) throws -> Response {
        let input = try Members(request)
        let id = try input.text("id")
        guard let members = try input.optionalMembers("signature") else {
            throw RequestRefusal.memberMissing("signature")
        }
        let signature = try DocumentSignature(members)
        guard let timestamp = try input.optionalInteger("timestamp") ?? signature.timestamp else {
            throw RequestRefusal.memberMissing("timestamp")
        }
        let session = try database.read { db in try sessions.signingSession(id, in: db) }
        guard let project = try projects.find(session.projectID) else {
            throw SignatureRefusal.sessionUnknown(id)
        }
        let signer = try sessionSigner(of: signature, at: timestamp, for: project)
        if let fault = session.fault(of: signature, by: signer) {
            throw SignatureRefusal.sessionSignature(fault)
        }
        if !session.namesHash { tellUncompared(signature, session) }
        let text = Base64.encode(JSONValue.object(members.withTimestamp(timestamp)).bytes)
        try world.change { turn in try close(id, by: signer, text, request, in: turn) }
        return .answer(["status": "signed"])
    }

    private func tellUncompared(_ signature: DocumentSignature, _ session: AccessSession) {
        services.journal.event(
            "document not compared", about: session.prerollID,
            "The session's hash “\(session.hash?.prefix(80) ?? "")” is not hexadecimal, so the signature of "
                + "\(signature.hash.prefix(80)) is taken for it as it is. The back end has to compare them.")
    }

    /// The first signature counts.
    private func close(
        _ id: String, by signer: Identity, _ signature: String, _ request: Request, in turn: Turn
    ) throws {
        var session = try sessions.signingSession(id, in: turn.db)
        if session.isOver { throw SignatureRefusal.sessionOver(session.state) }
        (session.state, session.userID, session.signature) = (.signed, signer.userID, signature)
        try turn.update(session)
        try turn.audit("signature", "sign_success", of: signer, request)
    }

    /// Who signed. The app hears of one member that is wrong, whatever is wrong with it.
    private func sessionSigner(
        of signature: DocumentSignature, at timestamp: Int, for project: Project
    ) throws -> Identity {
        do {
            return try signatures.signer(of: signature, at: timestamp, for: project)
        } catch let refusal as SignatureRefusal {
            if refusal.wire == .parameter("timestamp") { throw refusal }
            throw SignatureRefusal.sessionSignature(refusal.explanation)
        }
    }

    /// `DELETE /dvs/session`: the user does not want to sign.
    ///
    /// - Request: `{"id"}`, in a body.
    /// - Response: `200 {"status": "abort"}`.
    /// - Errors: `400 INVALID_REQUEST_PARAMETERS`, `params` being `id`, for a session that is unknown or over.
    /// - Source: trust-sdk-ios.
    func abortSigningSession(_ request: Request) throws -> Response {
        let id = try Members(request).text("id")
        try world.change { turn in
            var session = try sessions.signingSession(id, in: turn.db)
            if session.isOver { throw SignatureRefusal.sessionOver(session.state) }
            session.state = .abort
            try turn.update(session)
        }
        return .answer(["status": "abort"])
    }
}

extension AccessSession {
    /// Whether it says in hexadecimal digits what is to be signed.
    fileprivate var namesHash: Bool { hash.flatMap { Hex.decode($0) } != nil }

    /// Why a signature that is right does not belong here; nil when it does.
    fileprivate func fault(of signature: DocumentSignature, by signer: Identity) -> String? {
        if namesHash, signature.hash.lowercased() != hash?.lowercased() {
            return
                "The session expects a signature of \(hash ?? "nothing"), but this one is of \(signature.hash.prefix(80))."
        }
        if let prerollID, prerollID != signer.userID {
            return "The session is for \(prerollID), and \(signer.userID) signed."
        }
        return nil
    }
}

extension Members {
    /// As `codeStatus` of other clients tells it: the time is part of the object.
    fileprivate func withTimestamp(_ timestamp: Int) -> [String: JSONValue] {
        var values = values
        values["timestamp"] = .integer(timestamp)
        return values
    }
}
