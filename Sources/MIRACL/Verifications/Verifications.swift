import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

/// How a user proves to be the owner of an id: by a mail, by a back end that knows the user, or by another device.
struct Verifications: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var now: Date { world.now }
    private var projects: Projects { Projects(world) }

    /// Makes the code that confirms a registration, and the mail that brings it, unless the customer's back end verifies its users.
    ///
    /// - Parameter accessID: the access code that the registration began with, if any.
    func sendVerification(
        of identity: Identity, in project: Project, accessID: String? = nil, _ request: Request,
        in turn: Turn
    ) throws {
        var code = makeVerificationCode(project.method, of: identity.userID, in: project)
        code.mpinID = identity.mpinID
        code.deviceName = identity.deviceName
        code.accessID = accessID
        try issue(code, in: project, request, turn)
    }

    /// Writes a code down, and mails it where a mail brings it.
    private func issue(_ code: OneTimeCode, in project: Project, _ request: Request, _ turn: Turn) throws {
        var code = code
        if code.kind == .mail {
            code.text = try turn.code(for: code.userID, insteadOf: code.text)
            try OneTimeCode.forget(code, in: turn.db)
        }
        try turn.insert(code)
        try verificationMail(code, in: project, request).map(turn.send)
    }

    /// A code that nobody has yet: digits for a mail, or what stands in a link.
    func makeVerificationCode(
        _ method: Project.VerificationMethod, of userID: String, in project: Project, seconds: Int? = nil
    ) -> OneTimeCode {
        let kind: OneTimeCode.Kind =
            switch method {
            case .link: .link
            case .code: .mail
            case .custom: .custom
            }
        return OneTimeCode(
            kind: kind,
            text: kind == .mail ? world.digits(for: "mail_code") : world.token(for: "verification"),
            projectID: project.id, userID: userID, origin: kind == .custom ? .custom : .mail, createdAt: now,
            expiresAt: world.time(in: seconds ?? project.verificationSeconds))
    }

    /// The mail that brings a code; nil for one that no mail brings.
    func verificationMail(_ code: OneTimeCode, in project: Project, _ request: Request) -> Message? {
        switch code.kind {
        case .link: VerificationMail(code, project, link: verificationLink(code, request)).message
        case .mail: VerificationMail(code, project, link: nil).message
        default: nil
        }
    }

    /// The place where a code is confirmed, the code before the user: the vendor's own tests look for them in this order.
    ///
    /// Source: trust-sdk-android, integration tests; every character that a form would read otherwise is percent-encoded, a plus
    /// sign among them.
    func verificationLink(_ code: OneTimeCode, _ request: Request) -> String {
        request.baseURL + "/verification/confirmation?"
            + Form.encode([("code", code.text), ("user_id", code.userID)])
    }

    func makeActivationToken(of userID: String, in project: Project, origin: Identity.Origin) -> OneTimeCode {
        OneTimeCode(
            kind: .activation, text: world.token(for: "activation"), projectID: project.id, userID: userID,
            origin: origin, createdAt: now, expiresAt: world.time(in: project.activationSeconds))
    }

    /// A code can be asked of somebody on the telephone, so that one who has a device already has to follow a link, unless that
    /// device asks. Source: trust-sdk-android and trust-sdk-ios, integration tests.
    func method(
        for userID: String, mpinID: String?, in project: Project
    ) throws -> Project.VerificationMethod {
        guard project.method == .code else { return project.method }
        let own = try world.database.read { db in try Identity.all(of: userID, in: project.id, db) }
        if own.contains(where: { $0.mpinID == mpinID?.lowercased() }) { return .code }
        let hasDevice = own.contains { identity in
            [.issued, .active, .blocked].contains(identity.state) && !identity.isExpired(at: now)
        }
        return hasDevice ? .link : .code
    }

    /// Writes a code down and mails it, unless the user was sent one just now.
    func send(_ code: OneTimeCode, mpinID: String?, in project: Project, _ request: Request) throws {
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
            try issue(code, in: project, request, turn)
        }
    }

    /// The claims of a JWT that a proof brought, while it lasts.
    func requireJWT(_ token: String, in project: Project, _ request: Request) throws -> JSONValue {
        do {
            return try Certificates(world).claims(ofJWT: token, in: project, request)
        } catch let error as JOSEError {
            throw VerificationRefusal.jwtRefused(
                "The member “jwt” is not one that a proof brought for this project: \(error).")
        }
    }
}

// MARK: - Confirmation

extension Verifications {
    /// Takes a code of a mail, of a back end or of another device.
    ///
    /// - Throws: ``VerificationRefusal``; a wrong code stays counted.
    func confirm(_ text: String, of userID: String, isPage: Bool, _ request: Request) throws -> Confirmed {
        let meant = try request.headers["X-MIRACL-CID"] == nil ? nil : projects.require(request)
        let known = try projects.all()
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
        try turn.audit("registration", "registration_verified", of: identity, request)
        return identity
    }
}

/// What a confirmation wrote.
struct Confirmed: Sendable {
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
