import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Seconds after which the server hands out another nonce; the one before is good for as long again. Source: ours.
    private static let nonceSeconds = 300.0

    /// The thumbprint of the key to which tokens of this request are to be bound; nil without a proof.
    ///
    /// - Throws: ``DPoPRefusal``. Source: RFC 9449 §5.
    func proofKey(_ request: Request) throws -> String? {
        let settings = try settings()
        guard settings.offersDPoP else {
            if request.headers["DPoP"] != nil {
                services.journal.explain(
                    "The request has a DPoP proof, and this server does not offer DPoP, so that the token is a bearer token: "
                        + "put \"dpop\": true into the settings of the fixtures.")
            }
            return nil
        }
        guard request.headers["DPoP"] != nil else { return nil }
        return try refusing(atResource: false) { try proof(request, settings).thumbprint }
    }

    /// Demands a proof of the key to which `token` is bound. Source: RFC 9449 §7.1.
    ///
    /// - Parameter text: of the token.
    func requireProof(of token: AccessToken, _ text: String, _ request: Request) throws {
        try refusing(atResource: true) {
            let proof = try proof(request, settings(), token: text)
            let expected = token.proofKey ?? ""
            guard proof.thumbprint == expected else {
                throw DPoPFault.keyDiffers(of: "access token", expected: expected, found: proof.thumbprint)
            }
        }
    }

    /// Demands that a token request proves the key to which a code or refresh token is bound. Source: RFC 9449 §5, §10.
    func require(_ key: String?, of what: String, _ call: ClientCall) throws {
        guard let key else { return }
        try refusing(atResource: false) {
            guard let found = call.proofKey else {
                throw DPoPFault.missing(why: "the \(what) is bound to the key with the thumbprint \(key)")
            }
            guard found == key else { throw DPoPFault.keyDiffers(of: what, expected: key, found: found) }
        }
    }

    /// Refuses a client that is registered for bound tokens and brings no proof. Source: RFC 9449 §5.2.
    func requireProof(by call: ClientCall) throws {
        let isDemanded = try settings().demandsDPoP
        guard isDemanded || call.client.metadata.dpopBoundAccessTokens == true, call.proofKey == nil else {
            return
        }
        try refusing(atResource: false) {
            throw DPoPFault.missing(
                why: isDemanded
                    ? "by the profile among the settings of this server every token is bound to a key"
                    : "the client “\(call.client.id)” is registered with dpop_bound_access_tokens")
        }
    }

    /// The nonce of now, where the server wants one. Source: RFC 9449 §8.
    func proofNonce() throws -> String? {
        let settings = try settings()
        return settings.offersDPoP && settings.demandsDPoPNonce ? try nonce(0) : nil
    }

    private func refusing<Result>(atResource: Bool, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as DPoPFault {
            throw DPoPRefusal(fault: fault, isAtResource: atResource, nonce: try proofNonce())
        }
    }

    /// The proof of the request, sound and not used before.
    ///
    /// - Throws: ``DPoPFault``. Source: RFC 9449 §4.3.
    private func proof(_ request: Request, _ settings: ServerSettings, token: String? = nil) throws
        -> DPoPProof
    {
        let fields = request.headers.values(of: "DPoP")
        guard let text = fields.first else {
            throw DPoPFault.missing(why: "the access token is bound to a key")
        }
        guard fields.count == 1 else { throw DPoPFault.repeated(fields.count) }
        let proof = try DPoPProof(text, among: settings.proofAlgorithms)
        try proof.check(request.method.rawValue, request.addresses)
        if settings.demandsDPoPNonce {
            guard let nonce = proof.nonce else { throw DPoPFault.nonceMissing }
            guard try [self.nonce(0), self.nonce(-1)].contains(nonce) else {
                throw DPoPFault.nonceWrong(nonce)
            }
        } else {
            // A nonce of the server's tells the time better. Source: RFC 9449 §11.1.
            try proof.checkTime(now)
        }
        if let token { try proof.check(token: token) }
        try spend(proof)
        return proof
    }

    /// Remembers a proof beside the client assertions, under the thumbprint of its key. Source: RFC 9449 §11.1.
    private func spend(_ proof: DPoPProof) throws {
        let (now, owner) = (now, "jkt:" + proof.thumbprint)
        let until = now + DPoPRules.mostOld + DPoPRules.mostAhead + 2 * Self.nonceSeconds
        let used = UsedAssertion(clientID: owner, id: proof.id, expiresAt: until)
        let isNew = try world.change { turn in try assertions.spend(used, at: turn.now, in: turn.db) }
        guard isNew else { throw DPoPFault.replayed(proof.id) }
    }

    /// - Parameter shift: 0 for the nonce of now, -1 for the one before.
    private func nonce(_ shift: Int) throws -> String {
        let secret = services.memo.value(profile.memo.dpopSecret) { bytes(32, for: "dpop.nonce") }
        let period = Int(saturating: now.timeIntervalSince1970 / Self.nonceSeconds) + shift
        return Base64URL.encode(Digest.sha256.authenticationCode(of: Array("\(period)".utf8), key: secret))
    }
}

extension Request {
    /// The URL of the request without its query, under the names by which its sender may know it.
    fileprivate var addresses: [String] {
        let path = String(target.prefix { $0 != "?" })
        let host = headers["Host"].map { (peer.isSecure ? "https://" : "http://") + $0 + path }
        return [origin + path] + [host].compactMap(\.self)
    }
}
