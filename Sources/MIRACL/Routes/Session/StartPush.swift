import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /pushauth`: begins a login, and calls the user's device instead of waiting for a scan.
    ///
    /// - Request: an OpenID Connect authorization request in the query, and `{"prerollId"}`, the user.
    /// - Response: `200 {"webOTT", "accessId", "accessURL", "qrURL"}`; the push is in the outbox.
    /// - Errors: as ``startAuthorization(_:)``; `400 NO_PUSH_TOKEN`.
    /// - Source: client-js 5 to 8; trust-sdk-android for what an app reads of the push.
    func startPush(_ request: Request) throws -> Response {
        let (form, members) = try authorizationInput(request)
        let (asked, project) = try requireAuthorization(form, at: request)
        let userID =
            try members.optionalText("prerollId") ?? form.text("prerollid") ?? members.text("prerollId")
        let device = try requirePushDevice(of: userID, in: project)
        var session = makeSession(in: project)
        (session.authorization, session.prerollID) = (asked, userID)
        let opened = session
        try world.change { turn in
            try turn.insert(opened)
            try turn.send(push(opened, to: device, in: project, request))
        }
        return answer(session, request)
    }

    /// The newest identity that a push reaches and that can sign in.
    private func requirePushDevice(of userID: String, in project: Project) throws -> Identity {
        let all = try database.read { db in try Identity.all(of: userID, in: project.id, db) }
        let able = all.first { identity in
            identity.pushToken != nil && !identity.isExpired(at: now)
                && (identity.state == .active || identity.state == .issued)
        }
        guard let able else {
            throw SessionRefusal.pushTokenMissing(userID: userID, identities: all.count)
        }
        return able
    }

    /// Flat texts, as push services carry them.
    private func push(
        _ session: AccessSession, to device: Identity, in project: Project, _ request: Request
    ) -> Message {
        let qrURL = qrURL(of: session, request)
        let content: JSONValue = [
            "projectID": .string(project.id), "userID": .string(device.userID), "qrURL": .string(qrURL),
        ]
        return Message(
            .push, kind: "push", from: Message.Address(project.name),
            to: Message.Address(device.pushToken ?? "", name: device.deviceName),
            subject: "Sign in to \(project.name)", text: content.text, code: session.accessID, link: qrURL,
            expiresAt: session.expiresAt, source: Self.name)
    }
}
