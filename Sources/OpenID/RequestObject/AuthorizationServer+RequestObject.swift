import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit

// Authorization requests that their client signed. Source: RFC 9101; OpenID Connect Core 1.0 §6.1.
extension AuthorizationServer {
    /// The parameters that count: those of the request object where one came by value, else those that came.
    ///
    /// Parameters beside the object count for nothing. Source: RFC 9101 §5.
    ///
    /// - Throws: ``AuthorizationRefusal`` `invalid_request_object`.
    func expanded(
        _ parameters: AuthorizationParameters, of client: Client, at request: Request
    ) throws -> AuthorizationParameters {
        let settings = try settings()
        if parameters["request"] == nil, parameters["request_uri"] == nil,
            settings.demandsSignedRequests || client.metadata.requireSignedRequestObject == true
        {
            throw AuthorizationRefusal(
                .requestObjectMissing(isClients: !settings.demandsSignedRequests),
                try targetBeside(parameters, client, request))
        }
        guard let text = parameters["request"], settings.offersRequestObjects,
            !parameters.repeated.contains("request")
        else { return parameters }
        do {
            let form = try requestObject(text, of: client, at: request)
            noteIgnored(parameters, form)
            return AuthorizationParameters(form)
        } catch let fault as RequestObjectFault {
            throw AuthorizationRefusal(
                .requestObjectInvalid(fault.reason), try targetBeside(parameters, client, request))
        }
    }

    private func requestObject(_ text: String, of client: Client, at request: Request) throws -> Form {
        guard text.utf8.count <= AuthorizationParameters.byteLimit else {
            throw RequestObjectFault("it has more than \(AuthorizationParameters.byteLimit) bytes")
        }
        let verified = try verifiedObject(text, of: client)
        guard ["jwt", "oauth-authz-req+jwt"].contains(verified.header.type?.asciiLowercased ?? "jwt") else {
            throw RequestObjectFault(
                "its typ is “\(verified.header.type ?? "")”, expected “oauth-authz-req+jwt” (RFC 9101 §10.8)")
        }
        guard let members = try JSONValue(parsing: verified.payload).object else {
            throw RequestObjectFault("its claims are not a JSON object")
        }
        try checkClaims(members, of: client, at: request)
        return try Self.form(members)
    }

    private func verifiedObject(_ text: String, of client: Client) throws -> JWS.Verified {
        let algorithm = Self.algorithm(of: text)
        let known = try settings().requestObjectAlgorithms
        let allowed =
            client.metadata.requestObjectSigningAlg.map { [$0] }?.filter(known.contains) ?? known
        guard allowed.contains(algorithm) else {
            throw RequestObjectFault(
                "it is signed with “\(algorithm.prefix(40))”, this client may use \(allowed.joined(separator: ", "))"
            )
        }
        do {
            let keys =
                algorithm.hasPrefix("HS")
                ? [JWK(.secret(Array((client.secret ?? "").utf8)))] : try keys(of: client)
            return try JWT.verify(text, keys: keys, at: now, leewaySeconds: 60)
        } catch let error as JOSEError {
            throw RequestObjectFault(error.description)
        } catch let fault as AssertionFault {
            throw RequestObjectFault(String(fault.sentence.dropLast()))
        }
    }

    /// Also by the client's secret. Source: OpenID Connect Core 1.0 §6.1.
    static let requestObjectAlgorithms = assertionAlgorithms + ["HS256", "HS384", "HS512"]

    private static func algorithm(of text: String) -> String {
        let header = Base64URL.decode(text.prefix { $0 != "." })
        // What is no JSON has no algorithm; the check of the signature says more.
        return header.flatMap { try? JSONValue(parsing: $0) }?["alg"]?.string ?? "none"
    }

    /// Source: RFC 9101 §4, §5, §6.3.
    private func checkClaims(_ claims: [String: JSONValue], of client: Client, at request: Request) throws {
        for name in ["request", "request_uri"] where claims[name] != nil {
            throw RequestObjectFault("it has \(name) in it, which it must not have")
        }
        guard claims["client_id"]?.string == client.id else {
            throw RequestObjectFault(
                "its client_id is \(claims["client_id"]?.shown ?? "missing"), the request is of “\(client.id)”"
            )
        }
        if let issuer = claims["iss"], issuer.string != client.id {
            throw RequestObjectFault("its iss is \(issuer.shown), expected the client id “\(client.id)”")
        }
        if try settings().demandsTimesInRequests { try checkTimes(claims) }
        guard let audience = claims["aud"] else { return }
        let found = audience.string.map { [$0] } ?? audience.strings ?? []
        let issuer = try issuer(request)
        guard found.contains(issuer) || found.contains(request.baseURL) else {
            throw RequestObjectFault("its aud is \(audience.shown), expected the issuer “\(issuer)”")
        }
    }

    /// Seconds that a request object may be good for, and since when.
    private static let longestRequest = 3600.0

    /// Source: FAPI 2.0 Message Signing §5.3.1.
    private func checkTimes(_ claims: [String: JSONValue]) throws {
        for name in ["aud", "nbf", "exp"] where claims[name] == nil {
            throw RequestObjectFault("it has no \(name), which the settings of this server demand")
        }
        guard let start = claims["nbf"]?.seconds, let end = claims["exp"]?.seconds else {
            throw RequestObjectFault("its nbf and exp must be numbers of seconds")
        }
        guard end - start <= Self.longestRequest else {
            throw RequestObjectFault("its exp is more than 60 minutes after its nbf")
        }
        guard now.timeIntervalSince1970 - start <= Self.longestRequest else {
            throw RequestObjectFault("its nbf is more than 60 minutes in the past")
        }
    }

    /// Each claim as the parameter that it stands for: numbers and objects as their JSON. Source: RFC 9101 §4; OpenID Connect Core
    /// 1.0 §6.1.
    private static func form(_ claims: [String: JSONValue]) throws -> Form {
        let jwt: Set = ["iss", "aud", "exp", "nbf", "iat", "jti"]
        let pairs = claims.filter { !jwt.contains($0.key) && !$0.value.isNull }.map { name, value in
            (name: name, value: value.string ?? value.text)
        }
        return Form(Form.encode(pairs.sorted { $0.name < $1.name }))
    }

    private func noteIgnored(_ parameters: AuthorizationParameters, _ form: Form) {
        let beside = parameters.form.pairs.filter { pair in
            AuthorizationParameters.known.contains(pair.name) && pair.name != "request"
                && form[pair.name] != pair.value
        }.map(\.name)
        guard !beside.isEmpty else { return }
        services.journal.event(
            "parameters next to a request object",
            "The request has a request object, so these other parameters are ignored (RFC 9101 §5): "
                + "\(beside.sorted().joined(separator: ", ")).")
    }

    /// Where the refusal of an object goes: to the redirect URI beside it, when it is one of the client's.
    func targetBeside(
        _ parameters: AuthorizationParameters, _ client: Client, _ request: Request
    ) throws -> AuthorizationTarget? {
        guard let uri = parameters["redirect_uri"],
            RedirectURI.isRegistered(
                uri, among: client.redirectURIs(at: request) + client.ownPages(at: request))
        else { return nil }
        let type = ResponseType(parameters["response_type"] ?? "")
        let mode = ResponseMode(rawValue: parameters["response_mode"] ?? "")
        return AuthorizationTarget(
            redirectURI: uri, mode: safeMode(mode, type), state: parameters["state"],
            issuer: try issuer(request))
    }
}

/// Why a request object counts for nothing, without a full stop.
private struct RequestObjectFault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
