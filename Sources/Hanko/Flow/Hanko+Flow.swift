import Essentials
import HTTP
import PlatformKit

extension Hanko {
    /// `POST /login`: signs somebody in, step by step.
    ///
    /// - Request: none for a new flow; `?action=NAME%40FLOW` with `{"input_data": {…}, "csrf_token": "…"}` for a step, both from
    ///   the last response. `X-Language` chooses the language of mails.
    /// - Response: `200` with the state, its payload and what can be done; in the state `success` with the session.
    /// - Errors: as `error` in the state, see ``FlowError``; before there is a state to show, 401, 403, 410 and 500.
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
        guard try configuration().own.generation == .current else {
            throw HankoRefusal.switchedOff("SAML", by: "saml.enabled must be true, and SAML is not emulated")
        }
        throw FlowRefusal(.forbidden, "The exchange of tokens needs saml.enabled, and SAML is not emulated.")
    }

    private func runFlow(_ kind: FlowKind, _ request: Request) throws -> Response {
        do {
            return try answer(kind, request)
        } catch let refusal as FlowRefusal {
            throw refusal
        } catch let refusal as FlowRefused {
            throw refusal
        } catch {
            throw FlowBroken(cause: error)
        }
    }

    private func answer(_ kind: FlowKind, _ request: Request) throws -> Response {
        let (configuration, call) = (try configuration(), try FlowCall(request))
        let desk = FlowDesk(
            world: world, configuration: configuration,
            caller: try caller(kind, call, request, configuration))
        let answer =
            switch call {
            case .start: try desk.start(kind)
            case .run(let choice): try desk.run(choice, of: kind)
            }
        var response = Response.flow(answer.response)
        for effect in answer.effects {
            try perform(effect, of: answer.response.flowID, request, on: &response, configuration)
        }
        if let refusal = answer.refusal { throw FlowRefused(response: response, refusal: refusal) }
        return response
    }

    private func caller(
        _ kind: FlowKind, _ call: FlowCall, _ request: Request, _ configuration: Configuration
    ) throws -> FlowCaller {
        let tag = request.headers["X-Language"]
        let session = kind == .profile ? try profileSession(request) : nil
        return FlowCaller(
            address: request.peer.address, language: MailLanguage(acceptLanguage: tag),
            languageTag: tag ?? "",
            deviceTokens: request.cookie(configuration.mfa.deviceTrustCookie.name), session: session,
            newSession: { newSession(request, configuration) },
            thirdParty: try door(call, session, request, configuration))
    }

    /// Where a step that visits a provider finds it.
    private func door(
        _ call: FlowCall, _ session: Session?, _ request: Request, _ configuration: Configuration
    ) throws -> Result<ThirdPartyDoor, ThirdPartyRefusal>? {
        guard case .run(let choice) = call, FlowAction.namesOfThirdParty.contains(choice.action) else {
            return nil
        }
        func text(_ name: String) -> String? { choice.members[name]?.string }
        do {
            var order = try thirdPartyOrder(
                provider: text("provider"), redirectTo: text("redirect_to"), request, configuration)
            order.codeVerifier = text("code_verifier").flatMap { $0.isEmpty ? nil : $0 }
            let length = order.codeVerifier?.utf8.count ?? 0
            guard length <= ThirdPartyState.verifierLimit else {
                throw ThirdPartyRefusal.verifierTooLong(bytes: length)
            }
            order.isFlow = true
            order.userID = session?.userID
            let page = try thirdPartyPage(of: order, request)
            return .success(
                ThirdPartyDoor { [order] db in
                    let (url, state) = try startThirdParty(order, page: page, in: db)
                    return (url, thirdPartyStateCookie(state, isFlow: true))
                })
        } catch let fault as ThirdPartyRefusal {
            return .failure(fault)
        }
    }

    private func profileSession(_ request: Request) throws -> Session {
        do {
            return try presentedSession(request, touching: true).session
        } catch let refused as SessionsRefused {
            let refusal = FlowRefusal(
                .unauthorized, refused.faults.map(\.explanation).joined(separator: " "))
            guard refused.isIdle else { throw refusal }
            var response = Response.flowRefused(refusal.error)
            response.headers.add("Set-Cookie", try configuration().session.cookie.cleared)
            throw FlowRefused(response: response, refusal: refusal)
        }
    }

    private func perform(
        _ effect: FlowEffect, of flowID: String, _ request: Request, on response: inout Response,
        _ configuration: Configuration
    ) throws {
        switch effect {
        case .note(let event, let subject, let explanation):
            services.journal.event(event, about: subject, explanation)
        case .mail(let mail): try send(mail, request)
        case .session(let opened, let retention):
            try hand(opened, to: &response, configuration, retention: retention)
        case .cookie(let header): response.headers.add("Set-Cookie", header)
        case .audit(let type, let userID, let address, let error, let details):
            try audit(
                type, request, userID: userID, address: address, error: error,
                details: details.merging(["flow_id": flowID]) { kept, _ in kept })
        case .webhook(let event, let userID): try announce(event, request, userID: userID)
        case .deletion(let account): try announce(.userDelete, request, of: account)
        }
    }
}

/// A state with an error in it: the response stands already, the sentence goes to the journal.
struct FlowRefused: Refusal {
    let response: Response
    let refusal: FlowRefusal
    var explanation: String { refusal.explanation }
}

/// Something that no flow foresees; its step was rolled back. Answered as `technical_error`, and told as the bug that it is.
struct FlowBroken: Error, CustomStringConvertible {
    let cause: any Error
    var description: String { "a flow broke: \(cause)" }
}
