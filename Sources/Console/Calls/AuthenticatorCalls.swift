import Crypto
import Essentials
import HTTP
import Phone
import PlatformKit
import WebAuthn

/// Passkeys without a browser: software authenticators that answer the options of any relying party.
extension Console {
    struct AuthenticatorsOutput: Encodable {
        let authenticators: [AuthenticatorJSON]
        /// PEM
        let attestationRoot: String
    }

    /// `GET /authenticators`: every software authenticator of the world, oldest first.
    ///
    /// - Response: `200 {"authenticators": […], "attestationRoot": "-----BEGIN CERTIFICATE-----…"}`; the certificate is of whoever
    ///   vouches for authenticators whose attestation has certificates.
    func listAuthenticators(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(
            AuthenticatorsOutput(
                authenticators: authenticators(world).authenticators().map(AuthenticatorJSON.init),
                attestationRoot: DevelopmentAttestation.root))
    }

    /// `POST /authenticators`: makes one.
    ///
    /// - Request: `{"name"?, "phone"?, "origin"?, "behaviour"?}`; that of a phone keeps its passkeys and obeys its policy; switches that
    ///   are left out are where those of a well-behaved one are.
    /// - Response: `201` with the authenticator; `Location` is the call that shows it.
    /// - Errors: 400 for a member that is not what it must be, 404 for a phone that is not there, 409 when the world has 100 already, or
    ///   the phone one: a phone has one at most.
    func makeAuthenticator(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let services = world.services
        let body = try JSONBody(request, "name", "phone", "origin", "behaviour")
        let phone = try body.value("phone", String.self, expected: "the name of a phone")
        if let phone { _ = try Phones(world).phone(phone) }
        var kept = newAuthenticator(phone: phone, services)
        try kept.change(body)
        let there = try add(kept, to: world)
        guard there.id == kept.id else {
            throw ControlError.refused(
                "The phone “\(phone ?? "")” has the authenticator \(there.id) already.")
        }
        var response = try Response.json(AuthenticatorJSON(kept), status: .created)
        let base = WorldAddresses(request, info).base(of: world.name) + Self.root
        response.headers["Location"] = base + "/authenticators/" + kept.id
        return response
    }

    private func newAuthenticator(phone: String?, _ services: Services) -> KeptAuthenticator {
        KeptAuthenticator(
            id: services.entropy.uuid(for: "console.authenticator"), phone: phone,
            behaviour: AuthenticatorBehaviour.standard(ofPhone: phone != nil).json.bytes,
            createdAt: services.clock.now())
    }

    /// - Returns: what there is then, which a phone may have had already.
    private func add(_ kept: KeptAuthenticator, to world: World) throws -> KeptAuthenticator {
        guard let there = try authenticators(world).add(kept, limit: AuthenticatorLimit.authenticators) else {
            throw ControlError.refused(
                "A world has at most \(AuthenticatorLimit.authenticators) authenticators; delete one, or reset the world."
            )
        }
        if there.id == kept.id {
            world.services.journal.event(
                "authenticator made", about: kept.name, "The software authenticator \(kept.id) was made.")
        }
        return there
    }

    /// The id of the authenticator that a path names: its own, or the name of the phone whose passkeys it keeps.
    private func identifier(_ request: Request, in world: World) throws -> String {
        let named = request.parameter("id")
        return try authenticators(world).authenticator(ofPhone: named)?.id ?? named
    }

    /// The same where something is asked of it: a phone gets its authenticator with the first request to it.
    private func identifierOrNew(_ request: Request, in world: World) throws -> String {
        let named = try identifier(request, in: world)
        guard try authenticators(world).authenticator(named) == nil,
            try Phones(world).all().contains(where: { $0.name == named })
        else { return named }
        return try add(newAuthenticator(phone: named, world.services), to: world).id
    }

    /// `GET /authenticators/ID`: one of them, with its credentials. In the place of an id stands the name of a phone too.
    ///
    /// - Errors: 404 when there is none of that id.
    func showAuthenticator(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let id = try identifier(request, in: world)
        guard let kept = try authenticators(world).authenticator(id) else {
            throw noAuthenticator(id, in: world)
        }
        return try .json(AuthenticatorJSON(kept))
    }

    /// `PATCH /authenticators/ID`: turns switches for the next ceremony. `POST` does the same, for clients that have no `PATCH`.
    ///
    /// - Request: as for a new one; what is left out stays as it is, and null puts it back to where it is in a new one.
    /// - Response: `200` with the authenticator as it is then.
    /// - Errors: 400 for a member that is not what it must be, 404 when there is none of that id.
    func changeAuthenticator(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "name", "origin", "behaviour")
        let id = try identifierOrNew(request, in: world)
        let changed = try authenticators(world).change(id) { kept in
            try kept.change(body)
            return kept
        }
        guard let changed else { throw noAuthenticator(id, in: world) }
        return try .json(AuthenticatorJSON(changed))
    }

    /// `DELETE /authenticators/ID`: 204. Its credentials are gone with it.
    ///
    /// - Errors: 404 when there is none of that id.
    func deleteAuthenticator(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let id = try identifier(request, in: world)
        guard try authenticators(world).delete(id) else { throw noAuthenticator(id, in: world) }
        return .noContent
    }

    /// `POST /authenticators/ID/create?origin=`: what `navigator.credentials.create()` would do.
    ///
    /// - Request: `PublicKeyCredentialCreationOptionsJSON`, by itself or inside of `publicKey`; `origin` is where the page is.
    /// - Response: `200` with `RegistrationResponseJSON`, which `PublicKeyCredential.toJSON()` gives.
    /// - Errors: the title is the name of the browser's `DOMException`: 400 `TypeError` and `SyntaxError`, 409 `InvalidStateError`, 422
    ///   `NotSupportedError` and `SecurityError`; 404, and 409 when the authenticator is full.
    /// - Source: Web Authentication Level 3 §5.1.3.
    func createCredential(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "origin")
        let options = try JSONBody.text(request)
        return try hold(world, request, parameters, .create, "credential created") { try $0.create(options) }
    }

    /// `POST /authenticators/ID/get?origin=&credential=`: what `navigator.credentials.get()` would do.
    ///
    /// - Request: `PublicKeyCredentialRequestOptionsJSON`, by itself or inside of `publicKey`; `credential` is the id of the one
    ///   that the user picks, else it is the newest that fits.
    /// - Response: `200` with `AuthenticationResponseJSON`, which `PublicKeyCredential.toJSON()` gives.
    /// - Errors: as for ``createCredential(_:_:)``; 422 `NotAllowedError` when no credential fits.
    /// - Source: Web Authentication Level 3 §5.1.4.
    func getCredential(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "origin", "credential")
        let options = try JSONBody.text(request)
        let picked = try parameters.text("credential").map { text in
            guard let id = Base64URL.decode(text, allowingPadding: true) else {
                throw ControlError.parameter(
                    "credential", expected: "the id of a credential in base64url", given: "“\(text)”")
            }
            return id
        }
        return try hold(world, request, parameters, .get, "credential used") {
            try $0.get(options, credentialID: picked)
        }
    }

    /// Holds a ceremony, and says in the journal what came of it.
    private func hold(
        _ world: World, _ request: Request, _ parameters: Parameters, _ call: AuthenticatorBehaviour.Call,
        _ event: String, _ ask: @escaping @Sendable (inout SoftwareAuthenticator) throws -> [UInt8]
    ) throws -> Response {
        let id = try identifierOrNew(request, in: world)
        let ceremony = Ceremony(
            store: authenticators(world), entropy: world.services.entropy, id: id,
            origin: try parameters.text("origin").map { try Origin.checked($0) },
            serverOrigin: request.origin)
        let kept = try authenticators(world).authenticator(id)
        if let kept, try AuthenticatorBehaviour(kept).neverSettles?.includes(call) == true {
            let seconds = AuthenticatorLimit.silence
            return try hold(ceremony, event, in: world, after: seconds) { _ in
                throw SoftwareAuthenticatorError(
                    .notAllowed, "nobody answered for \(seconds) seconds, as neverSettles says")
            }
        }
        guard let phone = kept?.phone else { return try hold(ceremony, event, in: world, ask) }
        let consent = try Phones(world).phone(phone).consent
        let answer: @Sendable (inout SoftwareAuthenticator) throws -> [UInt8] = { authenticator in
            guard let why = consent.refusal else { return try ask(&authenticator) }
            throw SoftwareAuthenticatorError(
                .notAllowed, "\(why), as the policy of the phone “\(phone)” says")
        }
        guard consent.delay > 0 else { return try hold(ceremony, event, in: world, answer) }
        return try hold(ceremony, event, in: world, after: consent.delay, answer)
    }

    /// The same, `seconds` later.
    private func hold(
        _ ceremony: Ceremony, _ event: String, in world: World, after seconds: Int,
        _ ask: @escaping @Sendable (inout SoftwareAuthenticator) throws -> [UInt8]
    ) throws -> Response {
        // Nothing rings about it, but the end of the world sends everybody home.
        let occasion = world.services.changes.occasion(about: "authenticator " + ceremony.id)
        return try occasion.answer(within: Double(seconds)) { () -> Bool? in
            nil
        } with: { [self] _ in
            try hold(ceremony, event, in: world, ask)
        }
    }

    private func hold(
        _ ceremony: Ceremony, _ event: String, in world: World,
        _ ask: (inout SoftwareAuthenticator) throws -> [UInt8]
    ) throws -> Response {
        let id = ceremony.id
        do {
            guard let outcome = try ceremony.run(ask) else { throw noAuthenticator(id, in: world) }
            let user = outcome.credential?.userName
            let place = outcome.credential?.relyingPartyID ?? ""
            world.services.journal.event(
                event, about: user, "The software authenticator \(id) answered for \(place.shortened).")
            return Response(headers: ["Content-Type": "application/json"], body: outcome.json)
        } catch let error as ControlError {
            if let name = error.title {
                world.services.journal.event(
                    "ceremony refused", "The software authenticator \(id) answered \(name). \(error.detail)")
            }
            throw error
        }
    }

    private func authenticators(_ world: World) -> AuthenticatorStore {
        AuthenticatorStore(database: world.database)
    }

    private func noAuthenticator(_ id: String, in world: World) -> ControlError {
        .absent("There is no authenticator “\(id.shortened)” in the world \(world.name).")
    }
}

extension KeptAuthenticator {
    /// What the members of a body say; null puts one back to where it is in a new authenticator.
    fileprivate mutating func change(_ body: JSONBody) throws {
        let expected = "a text of 1 to \(AuthenticatorLimit.text) characters"
        if let name = try body.value("name", String.self, expected: expected) {
            guard 1...AuthenticatorLimit.text ~= name.unicodeScalars.count else {
                throw ControlError.parameter("name", expected: expected, given: "“\(name)”")
            }
            self.name = name
        }
        if let origin = try body.value("origin", String.self, expected: Origin.expected) {
            self.origin = try Origin.checked(origin)
        }
        if body.isNull("name") { name = nil }
        if body.isNull("origin") { origin = nil }
        var behaviour = try AuthenticatorBehaviour(self)
        let standard = AuthenticatorBehaviour.standard(ofPhone: phone != nil)
        if body.isNull("behaviour") { behaviour = standard }
        if let switches = try body.value("behaviour", JSONValue.self, expected: "an object") {
            try behaviour.change(switches, standard)
        }
        self.behaviour = behaviour.json.bytes
    }
}
