import Crypto
import Essentials
import HTTP
import SQLite

extension AuthorizationServer {
    /// Reads what a client asks for, once the client is known: the redirect URI first, since it decides how to refuse the rest.
    ///
    /// Also for pushed requests, whose refusals are answered as JSON.
    ///
    /// - Throws: ``AuthorizationRefusal``; without a target while the redirect URI is not known to be right.
    func readAuthorization(
        _ parameters: AuthorizationParameters, of client: Client, at request: Request
    ) throws -> AuthorizationRequest {
        if parameters.byteCount > AuthorizationParameters.byteLimit {
            throw AuthorizationRefusal(.tooLarge(parameters.byteCount))
        }
        let redirectURI = try redirectURI(
            parameters, of: client, among: client.redirectURIs(at: request), or: client.ownPages(at: request))
        let mode = ResponseMode(rawValue: parameters["response_mode"] ?? "")
        let type = ResponseType(parameters["response_type"] ?? "")
        let target = AuthorizationTarget(
            redirectURI: redirectURI, mode: safeMode(mode, type), state: parameters["state"],
            issuer: try issuer(request))
        do {
            try checkForm(parameters)
            let type = try responseType(parameters, of: client)
            try checkMode(parameters, type)
            return try self.request(parameters, type, target, of: client)
        } catch let fault as AuthorizationFault {
            throw AuthorizationRefusal(fault, target)
        }
    }

    /// Source: RFC 6749 §3.1.2.3; OpenID Connect Core 1.0 §3.1.2.1.
    ///
    /// - Parameter others: by which a registered path of this server goes as well.
    private func redirectURI(
        _ parameters: AuthorizationParameters, of client: Client, among registered: [String],
        or others: [String]
    ) throws -> String {
        if parameters.repeated.contains("redirect_uri") { throw AuthorizationRefusal(.redirectURIRepeated) }
        guard let uri = parameters["redirect_uri"] else {
            let isOpenID = ScopeList(parameters["scope"] ?? "").contains(ScopeList.openID)
            guard registered.count == 1, !isOpenID else {
                throw AuthorizationRefusal(.redirectURIMissing(registered: registered, isOpenID: isOpenID))
            }
            return registered[0]
        }
        guard
            RedirectURI.isRegistered(uri, among: registered + others)
                || letsPass(uri, as: "redirect_uri", of: client)
        else {
            throw AuthorizationRefusal(.redirectURIUnregistered(uri, registered: registered))
        }
        return uri
    }

    /// How refusals travel while the request may still be wrong in everything else.
    func safeMode(_ mode: ResponseMode?, _ type: ResponseType?) -> ResponseMode {
        guard let type else { return mode ?? .query }
        guard let mode, type.hasCode || mode != .query else { return type.defaultMode }
        return mode
    }

    private func checkForm(_ parameters: AuthorizationParameters) throws(AuthorizationFault) {
        if !parameters.repeated.isEmpty { throw .repeated(parameters.repeated) }
        if let (name, bytes) = parameters.oversized { throw .tooLong(name, bytes) }
        if parameters["authorization_details"] != nil { throw .authorizationDetails }
        if parameters["request"] != nil { throw .requestObject }
        if let uri = parameters["request_uri"] { throw .requestURI(uri) }
        if parameters["registration"] != nil { throw .registration }
    }

    private func responseType(
        _ parameters: AuthorizationParameters, of client: Client
    ) throws(AuthorizationFault) -> ResponseType {
        guard let text = parameters["response_type"] else { throw .responseTypeMissing }
        guard let type = ResponseType(text) else { throw .responseTypeUnsupported(text) }
        guard type.isAmong(client.responseTypes) else {
            throw .responseTypeNotAllowed(text, allowed: client.responseTypes)
        }
        guard client.may(type.grantType) else {
            throw .grantNotAllowed(type.grantType, allowed: client.grantTypes)
        }
        return type
    }

    private func checkMode(
        _ parameters: AuthorizationParameters, _ type: ResponseType
    ) throws(AuthorizationFault) {
        guard let text = parameters["response_mode"] else { return }
        guard let mode = ResponseMode(rawValue: text) else { throw .responseModeUnknown(text) }
        if mode == .query, !type.hasCode { throw .responseModeUnfit(type) }
    }

    private func request(
        _ parameters: AuthorizationParameters, _ type: ResponseType, _ target: AuthorizationTarget,
        of client: Client
    ) throws -> AuthorizationRequest {
        let scope = try scope(parameters, of: client)
        let challenge = try challenge(parameters, type, of: client)
        if type.hasIDToken, parameters["nonce"] == nil { throw AuthorizationFault.nonceMissing(type) }
        if type.hasIDToken, !scope.contains(ScopeList.openID) { throw AuthorizationFault.openIDMissing(type) }
        return AuthorizationRequest(
            client: client, target: target, namesRedirectURI: parameters["redirect_uri"] != nil,
            responseType: type, scope: scope, resources: try resources(parameters, of: client),
            nonce: parameters["nonce"], prompts: try prompts(parameters),
            maxAge: try maxAge(parameters) ?? client.metadata.defaultMaxAge,
            loginHint: parameters["login_hint"],
            acrValues: parameters["acr_values"].map { ScopeList($0).names } ?? client.metadata
                .defaultACRValues ?? [],
            claims: try parameters["claims"].map { text throws(AuthorizationFault) in try ClaimsRequest(text)
            },
            hintedSubject: try hintedSubject(parameters, issuer: target.issuer), challenge: challenge,
            proofKey: try proofKey(parameters))
    }

    /// The thumbprint of the key for which the code shall be good. Source: RFC 9449 §10.
    private func proofKey(_ parameters: AuthorizationParameters) throws -> String? {
        guard try settings().offersDPoP, let text = parameters["dpop_jkt"] else { return nil }
        guard Base64URL.decode(text)?.count == 32 else { throw AuthorizationFault.proofKeyMalformed(text) }
        return text
    }

    private func scope(_ parameters: AuthorizationParameters, of client: Client) throws -> ScopeList {
        let asked = scopeText(parameters, of: client)
        let resolved = try database.read { db in
            try scopes.resolve(asked, for: client, demandsScope: profile.demandsScope, in: db)
        }
        switch resolved {
        case .success(let scope): return scope
        case .failure(let fault): throw AuthorizationFault.scope(fault)
        }
    }

    /// Source: RFC 8707 §2.1.
    private func resources(
        _ parameters: AuthorizationParameters, of client: Client
    ) throws(AuthorizationFault) -> [String] {
        guard profile.knowsResources else { return [] }
        let (asked, allowed) = (parameters.resources, client.metadata.audiences ?? [])
        let foreign = asked.filter { !allowed.contains($0) }
        guard foreign.isEmpty else { throw .targetUnknown(foreign, allowed: allowed) }
        return asked
    }

    /// A request of nothing but unknown scopes keeps them, to be refused for them.
    private func scopeText(_ parameters: AuthorizationParameters, of client: Client) -> String? {
        guard profile.ignoresUnknownScopes, let text = parameters["scope"] else { return parameters["scope"] }
        let assigned = scopes.assigned(to: client)
        let known = ScopeList(ScopeList(text).names.filter(assigned.contains))
        return known.isEmpty ? text : known.text
    }

    /// Demanded of public clients alone where the settings say no more: conformance tests send none from others. Source: RFC 9700 §2.1.1.
    private func challenge(
        _ parameters: AuthorizationParameters, _ type: ResponseType, of client: Client
    ) throws -> CodeChallenge? {
        let challenge = try CodeChallenge(parameters)
        let demand = try settings().pkceDemand
        if challenge == nil, type.hasCode {
            if client.isPublic { throw AuthorizationFault.challengeMissing }
            if demand != nil { throw AuthorizationFault.challengeDemanded }
        }
        if demand == .s256, let challenge, challenge.method != "S256" {
            throw AuthorizationFault.challengeMethodRefused(parameters["code_challenge_method"])
        }
        return challenge
    }

    private func prompts(
        _ parameters: AuthorizationParameters
    ) throws(AuthorizationFault) -> [AuthorizationRequest.Prompt] {
        let names = ScopeList(parameters["prompt"] ?? "").names
        let prompts = names.compactMap(AuthorizationRequest.Prompt.init(rawValue:))
        guard prompts.count == names.count else { throw .promptUnknown(names) }
        if prompts.contains(.none), prompts.count > 1 { throw .promptNotAlone(names) }
        return prompts
    }

    /// Seconds
    private func maxAge(_ parameters: AuthorizationParameters) throws(AuthorizationFault) -> Int? {
        guard let text = parameters["max_age"] else { return nil }
        guard let seconds = Int(text), seconds >= 0, text.utf8.first != UInt8(ascii: "+") else {
            throw .maxAgeMalformed(text)
        }
        return seconds
    }

    private func hintedSubject(
        _ parameters: AuthorizationParameters, issuer: String
    ) throws -> String? {
        guard let text = parameters["id_token_hint"] else { return nil }
        switch try hintedToken(text, issuer: issuer) {
        case .success(let token): return token.sub
        case .failure(let fault): throw AuthorizationFault.hintMalformed(fault.reason)
        }
    }
}
