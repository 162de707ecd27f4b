import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit

extension Console {
    /// How large an order may be: most of it are claims.
    static let mintBytes = 64 * 1024
    /// Seconds that a token may last: a century.
    private static let longestLife = 3_155_760_000

    struct TokenKindsOutput: Encodable {
        let kinds: [TokenKindJSON]
        let flaws: [FlawJSON]
    }

    /// A wrong that can be done to a token.
    struct FlawJSON: Encodable {
        let name: String
        let explanation: String

        static let all = TokenFlaw.allCases.map { FlawJSON(name: $0.rawValue, explanation: $0.explanation) }
    }

    /// `GET /tokens`: what can be minted, and what can be wrong with it.
    ///
    /// - Response: `200 {"kinds": [{"platform", "kind", "title", "use", "format", "needs", "takes", "flaws"}], "flaws": [{"name",
    ///   "explanation"}]}`.
    func listTokenKinds(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(TokenKindsOutput(kinds: tokenKinds, flaws: FlawJSON.all))
    }

    var tokenKinds: [TokenKindJSON] {
        mints.flatMap { platform in platform.tokenKinds.map { TokenKindJSON($0, of: platform) } }
    }

    private var mints: [any MintsTokens.Type] { info.platforms.compactMap { $0 as? any MintsTokens.Type } }

    /// `POST /tokens`: makes a token without the flow that leads to it.
    ///
    /// - Request: `{"platform", "kind"?, "user"?, "client"?, "scope"?, "claims"?, "lifetime"?, "flaw"?, "key"?}`; the lifetime in whole
    ///   seconds, the key by its `kid`. The kind may be left out where the platform has one alone.
    /// - Response: `201 {"token", "platform", "kind", "format", "expiresAt"?, "isRegistered", "use", "flaw"?, "explanation"?, "header"?,
    ///   "claims"?}`.
    /// - Errors: 400; 404 for a platform, kind, user, client or key that is not there, with those that are; 422 for what cannot be.
    func mintToken(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(
            request, "platform", "kind", "user", "client", "scope", "claims", "lifetime", "flaw", "key")
        func text(_ name: String) throws -> String? { try body.value(name, String.self, expected: "a text") }
        var asked = MintInput(platform: try text("platform") ?? "", kind: try text("kind"))
        (asked.user, asked.client, asked.scope) = (try text("user"), try text("client"), try text("scope"))
        let claims = try body.value("claims", JSONValue.self, expected: "an object")
        if let claims {
            guard let members = claims.object else {
                throw ControlError.parameter("claims", expected: "an object", given: claims.text)
            }
            asked.claims = members
        }
        let life = "whole seconds from 1 to \(Self.longestLife)"
        asked.lifetimeSeconds = try body.value("lifetime", Int.self, expected: life)
        (asked.flaw, asked.key) = (try text("flaw"), try text("key"))
        return try .json(mint(asked, in: world, request), status: .created)
    }

    /// What somebody wants, as it was written.
    struct MintInput {
        var platform: String
        var kind: String?
        var user: String?
        var client: String?
        var scope: String?
        var claims: [String: JSONValue] = [:]
        var lifetimeSeconds: Int?
        var flaw: String?
        var key: String?

        init(platform: String, kind: String?) { (self.platform, self.kind) = (platform, kind) }
    }

    /// Makes a token, and tells the journal.
    ///
    /// - Throws: ``ControlError``.
    func mint(_ asked: MintInput, in world: World, _ request: Request) throws -> MintOutput {
        let card = try minting(asked.platform)
        let kind = try kind(asked, of: card)
        var order = MintRequest(kind: kind.name, request: request.at(card.mountPaths.first ?? card.name))
        (order.user, order.client, order.scope) = (asked.user, asked.client, asked.scope)
        (order.claims, order.keyID) = (asked.claims, asked.key)
        if let seconds = asked.lifetimeSeconds {
            guard 1...Self.longestLife ~= seconds else {
                throw ControlError.parameter(
                    "lifetime", expected: "whole seconds from 1 to \(Self.longestLife)",
                    given: String(seconds))
            }
            order.lifetimeSeconds = seconds
        }
        order.flaw = try asked.flaw.map { name in
            guard let flaw = TokenFlaw(rawValue: name) else {
                throw ControlError.parameter(
                    "flaw", expected: "one of " + TokenFlaw.allCases.map(\.rawValue).joined(separator: ", "),
                    given: "“\(name)”")
            }
            return flaw
        }
        let token = try Self.told { try card.mint(order, in: world) }
        let output = MintOutput(token, order, kind, card)
        world.services.journal.event("token minted", about: order.user, output.sentence)
        return output
    }

    private func minting(_ name: String) throws -> any MintsTokens.Type {
        let known = mints.map { $0.name }.joined(separator: ", ")
        guard let platform = info.platforms.first(where: { $0.name == name || $0.mountPaths.contains(name) })
        else {
            if name.isEmpty {
                throw ControlError.parameter(
                    "platform", expected: "one of \(known)", given: "left out")
            }
            throw ControlError.absent(
                "There is no platform “\(name.shortened)”; tokens are minted for \(known).")
        }
        guard let mint = platform as? any MintsTokens.Type else {
            throw ControlError.absent(
                "\(platform.title) signs no tokens that could be minted; tokens are minted for \(known).")
        }
        return mint
    }

    private func kind(_ asked: MintInput, of card: any MintsTokens.Type) throws -> TokenKind {
        let known = card.tokenKinds.map(\.name).joined(separator: ", ")
        guard let name = asked.kind else {
            if card.tokenKinds.count == 1 { return card.tokenKinds[0] }
            throw ControlError.parameter("kind", expected: "one of \(known)", given: "left out")
        }
        guard let kind = card.tokenKinds.first(where: { $0.name == name }) else {
            throw ControlError.absent(
                "\(card.title) has no tokens of the kind “\(name.shortened)”, only \(known).")
        }
        return kind
    }

    /// How the control API tells the refusals of a platform.
    private static func told(_ mint: () throws -> MintedToken) throws -> MintedToken {
        do {
            return try mint()
        } catch let refusal as MintRefusal {
            throw refusal.isAbsence
                ? ControlError.absent(refusal.explanation) : ControlError.unprocessable(refusal.explanation)
        } catch let refusal as any Refusal {
            throw ControlError.unprocessable(refusal.explanation)
        }
    }
}

extension Request {
    /// A request of the same client to a platform beside us, as far as tokens tell where it came.
    fileprivate func at(_ mount: String) -> Request {
        var request = self
        request.headers = [:]
        request.body = []
        request.context.publicBaseURL = baseURL + "/" + mount
        request.context.mount = self.mount + "/" + mount
        return request
    }
}

/// A kind of token, as the API gives it.
struct TokenKindJSON: Encodable {
    let platform: String
    let kind: String
    let title: String
    /// Where it is accepted.
    let use: String
    /// `jwt` or `opaque`.
    let format: String
    /// Members that an order must have, and those that it may have.
    let needs: [String]
    let takes: [String]
    let flaws: [String]

    init(_ kind: TokenKind, of card: any Platform.Type) {
        platform = card.name
        (self.kind, title, use) = (kind.name, kind.title, kind.use)
        format = kind.isJWT ? "jwt" : "opaque"
        let names = { (parties: Set<TokenKind.Party>) in
            TokenKind.Party.allCases.filter(parties.contains).map(\.rawValue)
        }
        (needs, takes) = (names(kind.needs), names(kind.takes))
        flaws = kind.flaws.map(\.rawValue)
    }
}

/// A minted token, as the API gives it.
struct MintOutput: Encodable {
    let token: String
    let platform: String
    let kind: String
    let format: String
    let expiresAt: String?
    /// Whether the platform knows it as if it had issued it.
    let isRegistered: Bool
    /// Where a good one is accepted.
    let use: String
    let flaw: String?
    /// What is wrong with it.
    let explanation: String?
    /// The parts of a JWT, to be read.
    let header: JSONValue?
    let claims: JSONValue?
    /// For the journal.
    let sentence: String

    enum CodingKeys: String, CodingKey {
        case token, platform, kind, format, expiresAt, isRegistered, use, flaw, explanation, header, claims
    }

    init(_ minted: MintedToken, _ order: MintRequest, _ kind: TokenKind, _ card: any Platform.Type) {
        (token, platform, self.kind) = (minted.text, card.name, kind.name)
        (format, use) = (kind.isJWT ? "jwt" : "opaque", kind.use)
        (expiresAt, isRegistered) = (minted.expiresAt.map(Timestamp.text), minted.isRegistered)
        flaw = order.flaw?.rawValue
        explanation =
            order.flaw.map {
                kind.isJWT ? $0.explanation : "The token expired an hour ago."
            }
        let parts = kind.isJWT ? minted.text.split(separator: ".", omittingEmptySubsequences: false) : []
        let read = parts.prefix(2).map { part in
            // What we signed ourselves is JSON.
            Base64URL.decode(part).flatMap { try? JSONValue(parsing: $0) }
        }
        (header, claims) = read.count == 2 ? (read[0], read[1]) : (nil, nil)
        let whose = [
            order.user.map { " of the user “\($0.shortened)”" },
            order.client.map { " for the client “\($0.shortened)”" },
        ]
        sentence =
            "A token of the kind \(kind.name) of \(card.title)\(whose.compactMap(\.self).joined()) was minted"
            + (order.flaw.map { ", with the flaw \($0.rawValue)" }
                ?? minted.expiresAt.map { ", valid until \(Timestamp.text($0))" } ?? "") + "."
    }
}
