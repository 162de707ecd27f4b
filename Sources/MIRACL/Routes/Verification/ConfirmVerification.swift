import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `GET /verification/confirmation`: where the link of the mail leads.
    ///
    /// - Request: the query `code` and `user_id`.
    /// - Response: `200` with a page whose one button confirms: looking at the link spends nothing.
    /// - Errors: `400` with a page for a link that is not whole.
    /// - Source: trust-sdk-android, integration tests, for the link; the page is ours.
    func showConfirmation(_ request: Request) throws -> Response {
        let form = request.queryItems
        let (code, userID) = (try form.required("code"), try form.required("user_id"))
        return ConfirmationPage.question(
            code: code, userID: userID, action: request.mount + "/verification/confirmation"
        )
        .response
    }

    /// `POST /verification/confirmation`: an app, or the page of the link, brings the code.
    ///
    /// - Request: `{"userId", "code", "deviceTag"?, "clientId"?, "redirectUri"?, "state"?, "stage"?}`; from the page, `user_id` and `code`
    ///   as a form. Codes of links and mails, of a back end's links, quick codes, and the digits of a proof with scope `reg-code`.
    /// - Response: `200 {"projectId", "actToken", "accessId", "expireTime", "state"?, "nonce"?}`; to the page, a page. The registration of
    ///   the first generation that the code was sent for is verified.
    /// - Errors: `400 UNSUCCESSFUL_VERIFICATION` with `context.projectId` and `context.accessId`. Five wrong codes spend those that the
    ///   user was sent.
    /// - Source: client-js 6 and 8; trust-sdk-android. *Assumed*: a code is good once.
    func confirmVerification(_ request: Request) throws -> Response {
        let isPage = request.isFormOfPage
        let (userID, text): (String, String)
        if isPage {
            (userID, text) = (try request.form.required("user_id"), try request.form.required("code"))
        } else {
            let input = try Members(request)
            (userID, text) = (try input.text("userId"), try input.text("code"))
        }
        let confirmed = try confirm(text, of: userID, isPage: isPage, request)
        if isPage {
            return ConfirmationPage.confirmed(
                userID: userID, activationToken: confirmed.identity == nil ? confirmed.token.text : nil
            ).response
        }
        return .answer(confirmed.members)
    }

    private func confirm(
        _ text: String, of userID: String, isPage: Bool, _ request: Request
    ) throws -> Confirmed {
        let meant = try request.headers["X-MIRACL-CID"] == nil ? nil : requireProject(request)
        let known = try projects()
        return try world.change { turn in
            let found = try OneTimeCode.find(OneTimeCode.confirming, text, of: userID, in: meant?.id, turn.db)
            if let code = found, let fault = code.fault(at: turn.now) {
                throw VerificationRefusal.codeRefused(
                    fault, projectID: code.projectID, accessID: code.accessID ?? "", isPage: isPage)
            }
            guard let code = found, let project = known.first(where: { $0.id == code.projectID }) else {
                let wanted = (meant.map { [$0] } ?? known).map(\.id)
                let refusal = VerificationRefusal.codeRefused(
                    .unknown, projectID: wanted.count == 1 ? wanted[0] : "", accessID: "", isPage: isPage)
                throw turn.kept(refusal) { turn in
                    for id in wanted {
                        try OneTimeCode.noteFailure(OneTimeCode.typed, of: userID, in: id, turn)
                    }
                }
            }
            return try confirm(code, in: project, request, turn)
        }
    }

    /// Spends a good code for an activation token, and verifies the registration that it was sent for.
    private func confirm(
        _ code: OneTimeCode, in project: Project, _ request: Request, _ turn: Turn
    ) throws -> Confirmed {
        try code.spend(in: turn)
        let identity = try verify(code, request, in: turn)
        var token = makeActivationToken(of: code.userID, in: project, origin: code.origin ?? .mail)
        (token.deviceName, token.accessID) = (code.deviceName, code.accessID)
        try turn.insert(token)
        return Confirmed(code: code, token: token, identity: identity)
    }

    /// The registration that the code was sent for, when it waited for it.
    private func verify(_ code: OneTimeCode, _ request: Request, in turn: Turn) throws -> Identity? {
        guard let mpinID = code.mpinID, var identity = try Identity.find(mpinID, in: turn.db),
            identity.state == .pending
        else { return nil }
        (identity.state, identity.origin) = (.verified, code.origin)
        try turn.update(identity)
        try note("registration", "registration_verified", of: identity, request, in: turn)
        return identity
    }

    func makeActivationToken(
        of userID: String, in project: Project, origin: Identity.Origin
    ) -> OneTimeCode {
        OneTimeCode(
            kind: .activation, text: token(for: "activation"), projectID: project.id, userID: userID,
            origin: origin, createdAt: now, expiresAt: time(in: project.activationSeconds))
    }
}

extension Request {
    /// Whether the body is a form, and not JSON, whatever the client calls it.
    fileprivate var isFormOfPage: Bool {
        if headers["Content-Type"]?.lowercased().hasPrefix("application/json") ?? false { return false }
        guard let first = body.first(where: { $0 > 0x20 }) else { return false }
        return !"{[\"".utf8.contains(first)
    }
}

/// What a confirmation wrote.
private struct Confirmed: Sendable {
    let code: OneTimeCode
    let token: OneTimeCode
    /// The registration that is verified by it.
    let identity: Identity?

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "projectId": .string(code.projectID), "actToken": .string(token.text),
            "accessId": code.accessID.map(JSONValue.string) ?? .null,
            "expireTime": .integer(token.expiresAt.unixSeconds),
        ]
        members["state"] = code.state.map(JSONValue.string)
        members["nonce"] = code.nonce.map(JSONValue.string)
        return members
    }
}

extension OneTimeCode {
    /// What a confirmation takes.
    static let confirming: [Kind] = [.link, .mail, .custom, .quickCode, .registration]

    /// What people type, so that somebody could guess it.
    static let typed: [Kind] = [.mail, .quickCode, .registration]

    /// Why it is not good.
    func fault(at now: Date) -> RegistrationRefusal.CodeFault? {
        if spentAt != nil { return .spent }
        return expiresAt > now ? nil : .expired(expiresAt)
    }
}

extension Form {
    /// - Throws: ``VerificationRefusal/linkIncomplete(_:)``.
    fileprivate func required(_ name: String) throws -> String {
        guard let text = text(name) else { throw VerificationRefusal.linkIncomplete(name) }
        return text
    }
}
