import Essentials
import HTTP
import PlatformKit

extension Hanko {
    /// `POST /login`: signs somebody in, step by step.
    ///
    /// - Request: none for a new flow; `?action=NAME%40FLOW` with `{"input_data": {…}, "csrf_token": "…"}` for a step, both from
    ///   the last response. `X-Language` chooses the language of mails.
    /// - Response: `200` with the state, its payload and what can be done; in the state `success` with the session.
    /// - Errors: as `error` in the state, see ``FlowRefusal``; before there is a state to show, 401, 403, 410 and 500.
    /// - Source: Hanko 2.7, Flow API.
    func runLogin(_ request: Request) throws -> Response { try runFlow(.login, request) }

    /// `POST /registration`: registers somebody, step by step.
    ///
    /// - Request: as `POST /login`.
    /// - Response: as `POST /login`.
    /// - Errors: as `POST /login`.
    /// - Source: Hanko 2.7, Flow API.
    func runRegistration(_ request: Request) throws -> Response { try runFlow(.registration, request) }

    /// `POST /profile`: what the signed-in user does to the own account.
    ///
    /// - Request: a session, and the rest as `POST /login`.
    /// - Response: as `POST /login`.
    /// - Errors: 401 `unauthorized` without a session; else as `POST /login`.
    /// - Source: Hanko 2.7, Flow API.
    func runProfile(_ request: Request) throws -> Response { try runFlow(.profile, request) }

    /// `POST /token_exchange`: a sign-in that an identity provider began. It needs SAML, which is not emulated.
    ///
    /// - Request: anything.
    /// - Response: none but errors.
    /// - Errors: 404 in the classic profile, where the path does not exist without SAML; else 403 `forbidden`.
    /// - Source: Hanko 2.7 and 3.0, Flow API.
    func runTokenExchange(_ request: Request) throws -> Response {
        guard try generation().hasClassicRoutes == false else {
            throw HankoRefusal.switchedOff("SAML", by: "saml.enabled must be true, and SAML is not emulated")
        }
        throw FlowRefusal.forbidden("The exchange of tokens needs saml.enabled, and SAML is not emulated.")
    }

    private func runFlow(_ kind: FlowKind, _ request: Request) throws -> Response {
        do {
            return try answer(kind, request)
        } catch let refusal as FlowRefusal {
            throw refusal
        } catch {
            throw FlowBroken(cause: error)
        }
    }

    private func answer(_ kind: FlowKind, _ request: Request) throws -> Response {
        let (call, announcer) = (try FlowCall(request), try announcer(request))
        let configuration = announcer.configuration
        let presented = kind == .profile ? try sessionReader(request).presented(by: request) : nil
        let answer: FlowDesk.Answer
        do {
            // A stranger makes this server ask no provider.
            let door = presented?.isPromising == false ? nil : try door(call, request)
            let desk = FlowDesk(
                announcer: announcer, caller: caller(door, request, configuration), presented: presented)
            answer =
                switch call {
                case .start: try desk.start(kind)
                case .run(let choice): try desk.run(choice, of: kind)
                }
        } catch let refusal as SessionRefusal {
            throw FlowRefusal.unauthorized(
                refusal, clearedCookie: refusal.isIdle ? configuration.session.cookie.cleared : nil)
        }
        var response = Response.flow(answer.response)
        if let (session, retention) = answer.opened {
            try hand(session, to: &response, configuration, retention: retention)
        }
        for cookie in answer.cookies { response.headers.add("Set-Cookie", cookie) }
        if let refusal = answer.response.error { throw refusal.shown(in: response) }
        return response
    }

    private func caller(
        _ door: Result<ThirdPartyDoor, ThirdPartyRefusal>?, _ request: Request,
        _ configuration: Configuration
    ) -> FlowCaller {
        FlowCaller(
            address: configuration.address(of: request),
            language: MailLanguage(
                acceptLanguage: request.headers["X-Language"],
                knowsPolish: configuration.own.generation == .next),
            deviceTokens: request.cookie(configuration.mfa.deviceTrustCookie.name),
            newSession: { newSession(request, configuration) },
            thirdParty: door)
    }

    /// Where a step that visits a provider finds it.
    private func door(
        _ call: FlowCall, _ request: Request
    ) throws -> Result<ThirdPartyDoor, ThirdPartyRefusal>? {
        guard case .run(let choice) = call, FlowAction.namesOfThirdParty.contains(choice.action) else {
            return nil
        }
        func text(_ name: String) -> String? { choice.members[name]?.string }
        do {
            let desk = try thirdPartyDesk()
            var order = try desk.order(
                provider: text("provider"), redirectTo: text("redirect_to"), request)
            order.codeVerifier = text("code_verifier").flatMap { $0.isEmpty ? nil : $0 }
            let length = order.codeVerifier?.utf8.count ?? 0
            guard length <= ThirdPartyState.verifierLimit else {
                throw ThirdPartyRefusal.verifierTooLong(bytes: length)
            }
            order.isFlow = true
            let page = try desk.page(of: order, request)
            return .success(
                ThirdPartyDoor { [order] db, userID in
                    var order = order
                    order.userID = userID
                    let (url, state) = try desk.start(order, page: page, in: db)
                    return (url, desk.cookie(state, isFlow: true))
                })
        } catch let fault as ThirdPartyRefusal {
            return .failure(fault)
        }
    }
}
