import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// One step of a flow that waits for input; the answer is the flow object.
    func step(_ request: Request, _ body: (Flow, Instance, Turn) throws -> Flow) throws -> Response {
        let answer = try change(for: request) { instance, turn in
            let flow = try flows.requireFlow(request.parameter("id"), of: instance, at: turn)
            return try flows.view(of: body(flow, instance, turn), instance, request, in: turn.db)
        }
        return try .json(answer)
    }

    /// `GET /device/v1/flows/{id}`: where a flow stands.
    ///
    /// - Request: no body.
    /// - Response: `200`, the flow object.
    /// - Errors: `UNAUTHORIZED`, `FLOW_NOT_FOUND`, also for an expired one.
    /// - Source: ours.
    func showFlow(_ request: Request) throws -> Response {
        let answer = try look { db, now -> JSONValue in
            let instance = try request.requireDevice(in: db)
            let id = request.parameter("id")
            guard let flow = try Flow.find(id, of: instance.id, in: db) else {
                throw DeviceRefusal.flowUnknown(id)
            }
            if flow.failure == .expired {
                throw DeviceRefusal.flowExpired(id, seconds: now.seconds(since: flow.expiresAt))
            }
            return try flows.view(of: flow, instance, request, in: db)
        }
        return try .json(answer)
    }

    /// `POST /device/v1/flows/{id}/cancel`: the user does not want to.
    ///
    /// - Request: no body.
    /// - Response: `200`, the flow object in the state `ERROR`; a browser that watches the session hears `CANCEL`.
    /// - Errors: `UNAUTHORIZED`, `FLOW_NOT_FOUND`, `WRONG_STATE`.
    /// - Source: ours.
    func cancelFlow(_ request: Request) throws -> Response {
        try step(request) { flow, _, turn in try flows.cancel(flow, in: turn) }
    }

    struct Completion: Decodable {
        let signature: String
    }

    /// `POST /device/v1/flows/{id}/complete`: ends an AppLogin that asks for no second factor.
    ///
    /// - Request: `{"signature"}`, by the account's key over the flow's text.
    /// - Response: `200`, the flow object in the state `DONE`; or one that asks after all, where an AppLogin has ended meanwhile.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `BAD_SIGNATURE`, `ACCOUNT_BLOCKED`, `ACCOUNT_NOT_FOUND`, `FLOW_NOT_FOUND`,
    ///   `WRONG_STATE`.
    /// - Source: ours.
    func completeFlow(_ request: Request) throws -> Response {
        try step(request) { flow, instance, turn in
            guard flow.step == nil, let server = try Server.find(flow.server, in: turn.db) else {
                throw DeviceRefusal.stateWrong(
                    "The flow waits for \(flow.step?.rawValue ?? "its server"); “complete” is for one that asks nothing."
                )
            }
            let input = try request.json(Completion.self)
            try flows.requireSignature(input.signature, of: flow, in: turn.db)
            var flow = flow
            flow.isSigned = true
            // Asked again: another AppLogin may have ended since.
            return try flows.ask(
                &flow, try flow.account.flatMap { try Account.find($0, in: turn.db) }, instance, server,
                in: turn)
        }
    }

    /// `POST /device/v1/flows/{id}/secondfactor`: sets the PIN, or proves it or the biometric key.
    ///
    /// - Request: to set, `{"pinkey", "biometrickey"?}`; to verify, `{"pinproof"}` or `{"biometricsignature"}`; where nothing was
    ///   confirmed before, the account's `signature` too.
    /// - Response: `200`, the flow object: `DONE`, or with `interaction.result` `WRONG` and another challenge, or `ERROR` with
    ///   `BLOCKED`.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `BAD_SIGNATURE`, `ACCOUNT_BLOCKED`, `ACCOUNT_NOT_FOUND`, `FLOW_NOT_FOUND`,
    ///   `WRONG_STATE`, `CODE_USED`, `SECOND_FACTOR_BLOCKED`.
    /// - Source: ours.
    func answerSecondFactor(_ request: Request) throws -> Response {
        try step(request) { flow, instance, turn in
            guard flow.step == .setSecondFactor || flow.step == .verifySecondFactor else {
                throw DeviceRefusal.stateWrong(
                    "The flow waits for \(flow.step?.rawValue ?? "“complete”"), no second factor.")
            }
            return try flows.answer(flow, with: request.json(FactorProof.self), instance, in: turn)
        }
    }
}
