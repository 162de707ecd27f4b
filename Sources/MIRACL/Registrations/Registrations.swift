import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// From a user id to an identity on a device.
struct Registrations: Sendable {
    let server: AuthorizationServer

    init(_ server: AuthorizationServer) { self.server = server }

    private var world: World { server.world }
    private var now: Date { world.now }
    private var verifications: Verifications { Verifications(world) }

    /// An identity that is not stored yet, with an M-Pin id of its own.
    func makeIdentity(
        of userID: String, in project: Project, deviceName: String?,
        purpose: Identity.Purpose = .authentication,
        state: Identity.State, origin: Identity.Origin?
    ) throws -> Identity {
        let now = now
        return Identity(
            mpinID: makeMPinID(userID, project, purpose, at: now), projectID: project.id, userID: userID,
            deviceName: deviceName ?? "", purpose: purpose, state: state, origin: origin,
            regOTT: world.token(for: "reg_ott"),
            registrationExpiresAt: world.time(in: project.registrationSeconds),
            dtas: try project.dtas(), createdAt: now,
            expiresAt: project.lifetimes?.identity.map { now.addingTimeInterval(Double($0)) })
    }

    /// Source: the vendor's documentation of its back end API shows one; clients take it as it is, but for `userID`.
    private func makeMPinID(
        _ userID: String, _ project: Project, _ purpose: Identity.Purpose, at now: Date
    ) -> String {
        let id: JSONValue = [
            "iat": .integer(now.unixSeconds), "userID": .string(userID), "cID": .string(project.id),
            "salt": .string(Base64URL.encode(world.services.entropy.bytes(16, "miracl.salt"))), "v": 5,
            "scope": [.string(purpose.rawValue)], "dta": [],
            "vt": .string(purpose == .signing ? "dvs" : "pv"),
        ]
        return Hex.encode(id.bytes)
    }

    /// Uses up what lets a user register without a mail.
    ///
    /// - Parameters:
    ///   - kinds: which codes will do.
    ///   - refused: what the client hears of a code that is not good; a wrong one of six digits is counted against those that the
    ///     user has.
    func redeem(
        _ text: String, _ kinds: [OneTimeCode.Kind], of userID: String, in project: Project, _ turn: Turn,
        or refused: (RegistrationRefusal.CodeFault) -> RegistrationRefusal
    ) throws -> OneTimeCode {
        guard let code = try OneTimeCode.find(kinds, text, of: userID, in: project.id, turn.db) else {
            let other = try OneTimeCode.find(kinds, text, in: project.id, turn.db)
            throw turn.kept(refused(other.map { .ofAnother($0.userID) } ?? .unknown)) { turn in
                try OneTimeCode.noteFailure(kinds, of: userID, in: project.id, turn)
            }
        }
        if let fault = code.fault(at: turn.now) { throw refused(fault) }
        try code.spend(in: turn)
        return code
    }
}

// MARK: - Registrations by mail

extension Registrations {
    /// Writes a registration down, and has its user verified.
    func begin(
        _ identity: Identity, in project: Project, _ input: Members, _ request: Request
    ) throws -> Begun {
        let (code, wid) = (try input.optionalText("activateCode"), try input.optionalText("wid"))
        var begun = try world.change { turn in
            var begun = Begun(identity: identity)
            if let code {
                let code = try redeem(
                    code, OneTimeCode.activationKinds, of: identity.userID, in: project, turn
                ) {
                    .activationCode($0)
                }
                (begun.identity.state, begun.identity.origin) = (.verified, code.origin ?? .registrationCode)
                begun.identity.mpinID = code.promisedMPinID ?? begun.identity.mpinID
            }
            begun.session = try wid.flatMap { try Sessions(server).liveSession($0, in: turn.db) }
            try turn.insert(begun.identity)
            if begun.identity.state == .pending {
                try verifications.sendVerification(
                    of: begun.identity, in: project, accessID: begun.session?.accessID, request, in: turn)
            }
            try turn.audit("registration", "registration_started", of: begun.identity, request)
            return begun
        }
        begun.identity = try verifications.askVerifier(
            about: begun.identity, in: project, input, isResend: false, request)
        if let wid, begun.session == nil {
            world.services.journal.event(
                "access code unknown", about: identity.userID,
                "The access code \(wid.prefix(40)) of this registration is not an open session; the registration continues."
            )
        }
        return begun
    }

    /// What a registration is answered with.
    func answer(_ identity: Identity, in project: Project, appID: String? = nil) -> [String: JSONValue] {
        [
            "mpinId": .string(identity.mpinID), "regOTT": .string(identity.regOTT),
            "nowTime": .integer(now.unixSeconds),
            "expireTime": .integer(identity.registrationExpiresAt.unixSeconds),
            "active": .boolean(identity.state != .pending), "customerId": .string(project.customer.id),
            "projectId": .string(project.id), "appId": .string(appID ?? project.id),
            "pinLength": .integer(project.pinDigits), "verificationType": .string(project.verificationType),
        ]
    }
}

// MARK: - Registrations by token

extension Registrations {
    func insert(
        _ identity: Identity, by token: String, in project: Project, _ request: Request
    ) throws -> (identity: Identity, tickets: [ShareTicket]) {
        try world.change { turn in
            var identity = identity
            // A token for a signing key makes no identity that signs in.
            if let code = try OneTimeCode.find([.dvsRegister], token, turn.db), code.origin != .renewal {
                throw RegistrationRefusal.activationToken(.unknown)
            }
            let code = try redeem(token, OneTimeCode.tokenKinds, of: identity.userID, in: project, turn) {
                .activationToken($0)
            }
            identity.origin = code.origin ?? (code.kind == .dvsRegister ? .renewal : .mail)
            identity.mpinID = code.promisedMPinID ?? identity.mpinID
            if code.kind == .dvsRegister { identity.renewal = Renewal(predecessor: code.mpinID) }
            try turn.insert(identity)
            try turn.audit("registration", "registration_success", of: identity, request)
            let made = identity
            return (
                made,
                try MasterSecret.Share.allCases.map {
                    try Shares(world).makeTicket($0, for: made, in: project, turn)
                }
            )
        }
    }

    func spend(_ token: String, in project: Project, _ turn: Turn) throws -> OneTimeCode {
        guard let code = try OneTimeCode.find([.dvsRegister], token, in: project.id, turn.db) else {
            throw SignatureRefusal.registerToken(.unknown)
        }
        if let fault = code.fault(at: turn.now) { throw SignatureRefusal.registerToken(fault) }
        try code.spend(in: turn)
        return code
    }

    /// The identity that has the key now, or is offered it, stored.
    func keyed(
        _ key: String, by code: OneTimeCode, _ deviceName: String?, in project: Project, _ turn: Turn
    ) throws -> Identity {
        if code.origin == .renewal, let id = code.mpinID, var renewed = try Identity.find(id, in: turn.db) {
            renewed.offer(Secrets(publicKey: key, dtas: try project.dtas()))
            try turn.update(renewed)
            return renewed
        }
        var identity = try makeIdentity(
            of: code.userID, in: project, deviceName: deviceName ?? code.deviceName, purpose: .signing,
            state: .issued, origin: .renewal)
        identity.publicKey = key
        try turn.insert(identity)
        return identity
    }
}

/// What was written for a registration.
struct Begun: Sendable {
    var identity: Identity
    var session: AccessSession?
}

extension OneTimeCode {
    /// What an `activationToken` can be.
    static let tokenKinds: [Kind] = [.activation, .registration, .dvsRegister]
    /// What an `activateCode` can be.
    static let activationKinds: [Kind] = [.activation, .registration]
}
