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
        try insert(code, mpinID: mpinID, in: project)
        try verificationMail(code, in: project, request).map(services.outbox.deliver)
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
        let own = try database.read { db in try identities.all(of: userID, in: project.id, db) }
        if own.contains(where: { $0.mpinID == mpinID?.lowercased() }) { return .code }
        let hasDevice = own.contains { identity in
            [.issued, .active, .blocked].contains(identity.state) && !identity.isExpired(at: now)
        }
        return hasDevice ? .link : .code
    }

    /// Writes a code down, unless the user was sent one just now.
    private func insert(_ code: OneTimeCode, mpinID: String?, in project: Project) throws {
        let refusal = try database.write { db -> VerificationRefusal? in
            let last = try codes.all([.link, .mail], of: code.userID, in: project.id, db).first?.createdAt
            if let free = last?.addingTimeInterval(Double(project.backoffSeconds)), free > now {
                return .backoff(until: free)
            }
            var code = code
            // One that is registered already, or that nobody knows after a reset, needs no confirmation.
            if let mpinID, let identity = try identities.find(mpinID.lowercased(), in: db),
                (identity.userID, identity.projectID) == (code.userID, project.id)
            {
                code.mpinID = identity.mpinID
            }
            try codes.tidy(at: now, in: db)
            try codes.insert(code, in: db)
            return nil
        }
        if let refusal { throw refusal }
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
