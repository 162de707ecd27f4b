import Crypto
import PlatformKit

/// What the shapes of an authorization server's fixtures cannot say: each name stands there once, and what is named is there.
struct OpenIDRules {
    /// What is there so far, by the kind of name.
    private var names: [String: Set<String>] = [:]

    /// Notes a name that may stand here once only.
    mutating func take(_ name: String, as kind: String, at path: [String]) throws {
        guard names[kind, default: []].insert(name).inserted else {
            throw FixtureProblem(at: path, "the \(kind) “\(name)” appears twice")
        }
    }

    mutating func take(_ digest: DigestText, as kind: String, at path: [String]) throws {
        try take(Base64URL.encode(digest.bytes), as: kind + " digest", at: path + ["digest"])
    }

    /// Demands that the grant was written before.
    func requireGrant(_ id: String, at path: [String]) throws {
        guard names["grant"]?.contains(id) == true else {
            throw FixtureProblem(at: path + ["grant_id"], "there is no grant “\(id)”")
        }
    }

    mutating func check(_ token: AccessToken, at path: [String]) throws {
        try take(token.digest, as: "access token", at: path)
        try take(token.id, as: "access token", at: path + ["id"])
        guard 0...1_000_000_000 ~= token.uses else {
            throw FixtureProblem(
                at: path + ["uses"], "expected a number from 0 to 1000000000, found \(token.uses)")
        }
        try requireGrant(token.grantID, at: path)
    }

    mutating func check(_ request: DeviceRequest, at path: [String]) throws {
        try take(request.digest, as: "device code", at: path)
        try take(request.userCode, as: "user code", at: path + ["user_code"])
        guard (1...3600).contains(request.interval) else {
            throw FixtureProblem(at: path + ["interval"], "expected a number of seconds from 1 to 3600")
        }
    }

    mutating func check(_ user: User, at path: [String]) throws {
        if let fault = user.fault { throw FixtureProblem(at: path + ["sub"], fault) }
        try take(user.subject, as: "subject", at: path + ["sub"])
        try take(user.username, as: "user name", at: path + ["username"])
    }

    mutating func check(_ client: Client, at path: [String]) throws {
        try take(client.id, as: "client id", at: path + ["client_id"])
        do {
            try ClientFixtureRules.check(client)
        } catch let fault as MetadataFault {
            throw FixtureProblem(at: path + fault.path, fault.reason)
        }
    }

    func check(_ pages: BrowserSettings) throws {
        guard ClientFixtureRules.seconds.contains(pages.sessionSeconds) else {
            throw FixtureProblem(
                at: ["pages", "session_lifetime"],
                "expected a number from \(ClientFixtureRules.seconds.lowerBound) to "
                    + "\(ClientFixtureRules.seconds.upperBound), found \(pages.sessionSeconds)")
        }
    }

    /// Source: OpenID Connect Discovery 1.0 §3, for the issuer; without a slash at its end, because paths are put behind it.
    func check(_ settings: ServerSettings) throws {
        do {
            if let issuer = settings.issuer {
                try ClientURI(issuer, of: "issuer").checkWeb()
            } else if settings.fixedBackChannel != nil {
                throw MetadataFault("fixed_back_channel", "it is about the issuer; give that too")
            }
            if let issuer = settings.issuer, issuer.hasSuffix("/") || issuer.contains("?") {
                throw MetadataFault(
                    "issuer",
                    "expected a URL without query and final slash, such as “https://login.example.com/oauth”"
                )
            }
            try settings.claimsByScope?.check()
        } catch let fault as MetadataFault {
            throw FixtureProblem(at: ["settings", fault.member], fault.reason)
        }
    }
}
