import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /verification/email`: a user wants the mail that proves the id.
    ///
    /// - Request: `{"userId", "projectId", "deviceName", "mpinId"?, "accessId"?, "clientId"?, "redirectURI"?, "state"?, "nonce"?,
    ///   "stage"?}`. With `mpinId`, a registration of the first generation is confirmed as well.
    /// - Response: `200 {"backoff", "method": "link" | "code"}`: seconds since 1970 before which no other mail is sent, and what the mail
    ///   brings. Where a project sends codes, a user who has registered before and comes without `mpinId` gets a link all the same.
    /// - Errors: `429 REQUEST_BACKOFF` with `context.backoff`, the same time as text; `403 FORBIDDEN`.
    /// - Source: client-js 5 to 8; trust-sdk-android.
    func sendVerificationMail(_ request: Request) throws -> Response {
        let input = try Members(request)
        let userID = try input.text("userId")
        let project = try requireProject(request, named: input.optionalText("projectId"))
        guard project.method != .custom else {
            throw VerificationRefusal.mailsOff(projectID: project.id)
        }
        try requireAdmitted(userID, in: project)
        let mpinID = try input.optionalText("mpinId")
        let method = try method(for: userID, mpinID: mpinID, in: project)
        var code = makeVerificationCode(method, of: userID, in: project)
        try code.keep(input)
        try send(code, mpinID: mpinID, in: project, request)
        return .answer([
            "backoff": .integer(time(in: project.backoffSeconds).unixSeconds),
            "method": .string(method == .code ? "code" : "link"),
        ])
    }

    /// A code can be asked of somebody on the telephone, so that one who has a device already has to follow a link, unless that
    /// device asks. Source: trust-sdk-android and trust-sdk-ios, integration tests.
    private func method(
        for userID: String, mpinID: String?, in project: Project
    ) throws -> Project.VerificationMethod {
        guard project.method == .code else { return project.method }
        let own = try database.read { db in try Identity.all(of: userID, in: project.id, db) }
        if own.contains(where: { $0.mpinID == mpinID?.lowercased() }) { return .code }
        let hasDevice = own.contains { identity in
            [.issued, .active, .blocked].contains(identity.state) && !identity.isExpired(at: now)
        }
        return hasDevice ? .link : .code
    }

    /// Writes a code down and mails it, unless the user was sent one just now.
    private func send(
        _ code: OneTimeCode, mpinID: String?, in project: Project, _ request: Request
    ) throws {
        try world.change { turn in
            let sent = try OneTimeCode.all([.link, .mail], of: code.userID, in: project.id, turn.db)
            let free = sent.first?.createdAt.addingTimeInterval(Double(project.backoffSeconds))
            if let free, free > turn.now { throw VerificationRefusal.backoff(until: free) }
            var code = code
            // One that is registered already, or that nobody knows after a reset, needs no confirmation.
            if let mpinID, let identity = try Identity.find(mpinID.lowercased(), in: turn.db),
                (identity.userID, identity.projectID) == (code.userID, project.id)
            {
                code.mpinID = identity.mpinID
            }
            try turn.insert(code)
            try verificationMail(code, in: project, request).map(turn.send)
        }
    }
}

extension OneTimeCode {
    /// What the confirmation hands back as it came.
    mutating func keep(_ input: Members) throws {
        deviceName = try input.optionalText("deviceName")
        accessID = try input.optionalText("accessId")
        clientID = try input.optionalText("clientId")
        redirectURI = try input.optionalText("redirectURI")
        (state, nonce) = (try input.optionalText("state"), try input.optionalText("nonce"))
        stage = try input.optionalText("stage")
    }
}
