import HTTP

/// What endpoints of the mobile APIs ask for before they do anything.
extension PowerAuth {
    /// Checks the authentication code of a request. A type that is not allowed is refused before anything is counted.
    ///
    /// - Parameters:
    ///   - uriID: agreed with the app; not the path.
    ///   - body: what was signed; nil for the body as it came, or of GET the canonical query.
    /// - Returns: a refusal to throw; the turn keeps that the failure was counted.
    func authenticate(
        _ request: Request, uriID: String, types: Set<SignatureType> = .anyWithTwoFactors,
        body: [UInt8]? = nil, in turn: inout Turn
    ) throws -> Result<Authenticated, AuthenticationRefusal> {
        let header: AuthorizationHeader
        switch try authorizationHeader(of: request) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let read): header = read
        }
        let signed: SignedRequest
        do {
            signed = SignedRequest(
                method: request.method.rawValue, uriID: uriID, body: try body ?? request.signedBody(),
                paths: request.pathForms)
        } catch let refusal as HeaderRefusal {
            return .failure(AuthenticationRefusal(.headerMalformed(refusal)))
        }
        guard types.contains(header.type) else {
            return .failure(AuthenticationRefusal(.typeNotAllowed(header.type, allowed: types)))
        }
        let outcome = try verify(header, over: signed, in: &turn)
        try audit(outcome, "signature", in: turn)
        try turn.keep()
        return authenticated(outcome, header.version)
    }

    /// The authorization header, which is all there is to check before the body of a request is opened that is signed first.
    func authorizationHeader(
        of request: Request
    ) throws -> Result<AuthorizationHeader, AuthenticationRefusal> {
        guard let text = request.headers[AuthorizationHeader.name] else {
            return .failure(AuthenticationRefusal(.headerMissing(AuthorizationHeader.name)))
        }
        do {
            return .success(try AuthorizationHeader(text))
        } catch let refusal as HeaderRefusal {
            return .failure(AuthenticationRefusal(.headerMalformed(refusal)))
        }
    }

    /// Checks the MAC token of a request.
    ///
    /// - Parameter types: factors with which the token may have been made.
    /// - Returns: a refusal to throw; the turn keeps the nonce.
    func authenticateByToken(
        _ request: Request, types: Set<SignatureType> = .anyWithPossession, in turn: inout Turn
    ) throws -> Result<Authenticated, AuthenticationRefusal> {
        guard let text = request.headers[TokenHeader.name] else {
            return .failure(AuthenticationRefusal(.headerMissing(TokenHeader.name)))
        }
        let header: TokenHeader
        do {
            header = try TokenHeader(text)
        } catch let refusal as HeaderRefusal {
            return .failure(AuthenticationRefusal(.headerMalformed(refusal)))
        }
        let result = try verify(header, in: &turn)
        try turn.keep()
        switch result {
        case .failure(let refusal): return .failure(AuthenticationRefusal(.token(refusal)))
        case .success(let outcome):
            if outcome.isValid, let type = outcome.type, !types.contains(type) {
                return .failure(AuthenticationRefusal(.typeNotAllowed(type, allowed: types)))
            }
            return authenticated(outcome, header.version)
        }
    }

    private func authenticated(
        _ outcome: AuthenticationOutcome, _ version: ProtocolVersion
    ) -> Result<Authenticated, AuthenticationRefusal> {
        guard outcome.isValid, let activation = outcome.activation, let application = outcome.application,
            let type = outcome.type
        else { return .failure(AuthenticationRefusal(.invalid(outcome))) }
        return .success(
            Authenticated(activation: activation, application: application, type: type, version: version))
    }
}

extension Request {
    /// As the client wrote it, and without world and context path.
    fileprivate var pathForms: [String] {
        let whole = String(target.prefix { $0 != "?" })
        return [whole, path, "/" + path.split(separator: "/").dropFirst().joined(separator: "/")]
    }

    /// What an authentication code covers of the request beside method and resource.
    ///
    /// - Throws: ``HeaderRefusal`` for a query that cannot be decoded.
    fileprivate func signedBody() throws -> [UInt8] {
        guard method == .get else { return body }
        do {
            return try CanonicalQuery.body(of: query)
        } catch let fault as ProtocolFault {
            throw HeaderRefusal(header: AuthorizationHeader.name, reason: "it covers the query: \(fault)")
        }
    }
}

/// Who sent a request that was authenticated.
struct Authenticated: Sendable, Equatable {
    /// After the check; it is active.
    let activation: Activation
    let application: Application
    /// Factors of the code, or those with which the token was made.
    let type: SignatureType
    /// What the request speaks.
    let version: ProtocolVersion
}

/// What the device signed, as the one who asks believes it.
struct SignedRequest: Sendable, Equatable {
    /// Upper case.
    let method: String
    /// Agreed identifier, not the path.
    let uriID: String
    /// Raw bytes; of GET the canonical query.
    let body: [UInt8]
    /// Of the request itself, in each form in which a client may take it for the agreed identifier.
    var paths: [String] = []
}

extension Set<SignatureType> {
    static let anyWithTwoFactors: Set = [
        .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
    ]
    static let anyWithPossession = anyWithTwoFactors.union([.possession])
}
