import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// A back end that proved itself.
struct BackEnd: Sendable {
    let project: Project
    /// Nil for a service account.
    let application: Project.Application?
}

/// What was computed; the memo keeps no nil.
private struct KeptSecret: Sendable {
    let master: MasterSecret?
}

/// The projects of a world: which one a request means, and which back end it comes from.
struct Projects: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    /// Every project of the world, decoded once.
    func all() throws -> [Project] {
        try world.services.memo.value("miracl.projects") {
            try world.database.read { db in try Project.all(in: db) }
        }
    }

    /// The same inside of a transaction, where the database must not be asked anew.
    func all(in db: Connection) throws -> [Project] {
        try world.services.memo.value("miracl.projects") { try Project.all(in: db) }
    }

    func find(_ id: String) throws -> Project? { try all().first { $0.id == id } }

    func find(_ id: String, in db: Connection) throws -> Project? {
        try all(in: db).first { $0.id == id }
    }

    /// The project that a request of an app means: by the header `X-MIRACL-CID`, by the query `project_id` or `cid`, by the OpenID
    /// Connect client of `X-MIRACL-Client-ID`, or the default, which is the only one there is or the one that the fixtures name.
    ///
    /// - Parameter named: what the body says.
    func require(_ request: Request, named: String? = nil) throws -> Project {
        let projects = try all()
        for (id, place) in [(named, "The body")] + projectWords(request) {
            guard let id, !id.isEmpty else { continue }
            if let project = projects.first(where: { $0.id == id || $0.customerID == id }) { return project }
            throw RequestRefusal.projectUnknown(id, in: place, known: projects.map(\.id))
        }
        if let id = request.headers["X-MIRACL-Client-ID"],
            let project = projects.first(where: { $0.application(id) != nil })
        {
            return project
        }
        let preset = projects.count == 1 ? projects.first : projects.last { $0.isDefault ?? false }
        guard let preset else { throw RequestRefusal.projectMissing(known: projects.map(\.id)) }
        return preset
    }

    private func projectWords(_ request: Request) -> [(id: String?, place: String)] {
        let query = request.queryItems
        return [
            (request.headers["X-MIRACL-CID"], "The header X-MIRACL-CID"),
            (query["project_id"], "The query"), (query["cid"], "The query"),
        ]
    }

    /// Whether header or query say which project is meant.
    func namesProject(_ request: Request) -> Bool {
        projectWords(request).contains { $0.id?.isEmpty == false }
    }

    /// The project of a request about an id that nobody knows, if it treats such an id like a blocked one. Clients of the third
    /// generation do not say which project they mean.
    func blockingUnknown(_ request: Request) throws -> Project? {
        do {
            let project = try require(request)
            return project.blockUnknownIdentities ?? false ? project : nil
        } catch let refusal as RequestRefusal where refusal.isProjectMissing {
            return nil
        }
    }

    /// The secrets that an identity's own were made of, computed once; nil when the project does not have them.
    func masterSecret(of identity: Identity, in project: Project) throws -> MasterSecret? {
        try world.services.memo.value("miracl.projects.master.\(project.id).\(identity.dtas)") {
            KeptSecret(master: try project.masterSecret(of: identity))
        }.master
    }

    /// The project of an OpenID Connect client.
    func find(ofClient clientID: String) throws -> Project? {
        try all().first { $0.application(clientID) != nil }
    }

    /// The project of a registration: the one that is named, or that of its activation token or registration code.
    ///
    /// - Parameters:
    ///   - named: what the body says.
    ///   - token: nil for a registration that waits for a mail.
    ///   - refusal: what the client hears of a token that nobody was given, where nothing else says the project.
    func require(
        _ request: Request, named: String?, ofToken token: String?, _ kinds: [OneTimeCode.Kind],
        of userID: String, or refusal: RegistrationRefusal
    ) throws -> Project {
        guard let token, named == nil, !namesProject(request) else {
            return try require(request, named: named)
        }
        let found = try world.database.read { db in
            try OneTimeCode.find(kinds, token, of: userID, db) ?? OneTimeCode.find(kinds, token, db)
        }
        if let found { return try require(request, named: found.projectID) }
        do {
            return try require(request)
        } catch let missing as RequestRefusal where missing.isProjectMissing {
            // Digits that somebody guesses at are counted wherever they could have been right.
            let known = try all().map(\.id)
            try world.change { turn in
                for id in known { try OneTimeCode.noteFailure(kinds, of: userID, in: id, turn) }
            }
            throw refusal
        }
    }

    /// The project that an identity or a code is of, where the request names none.
    func require(_ request: Request, named: String?, or implied: String?) throws -> Project {
        try require(request, named: named ?? (namesProject(request) ? nil : implied))
    }
}

// MARK: - Back ends

extension Projects {
    /// The back end that a request comes from, by its secret or token.
    ///
    /// - Parameter projectID: the project that the request means; nil where it names none.
    func requireBackEnd(_ request: Request, projectID: String? = nil) throws -> BackEnd {
        guard let field = request.headers["Authorization"] else { throw RequestRefusal.credentialsMissing }
        let backEnd: BackEnd
        if let credentials = field.value(ofScheme: "Basic") {
            backEnd = try application(credentials)
        } else if let token = field.value(ofScheme: "Bearer") {
            backEnd = try serviceAccount(token)
        } else {
            throw RequestRefusal.credentialsMissing
        }
        if let projectID, projectID != backEnd.project.id {
            throw RequestRefusal.projectForeign(projectID, own: backEnd.project.id)
        }
        return backEnd
    }

    /// - Parameter credentials: Base64 of id and secret with a colon between; both may be form-encoded. Source: RFC 6749 §2.3.1.
    private func application(_ credentials: String) throws -> BackEnd {
        guard let pair = try? BasicCredentials(parsing: credentials) else {
            throw RequestRefusal.credentialsWrong(
                "Basic is followed by no Base64 of client id, colon and secret.")
        }
        let (id, secret) = (pair.name, pair.password)
        for project in try all() {
            for application in project.applications ?? []
            where application.clientID == id || application.clientID == Form.decode(id) {
                guard
                    application.clientSecret.isSame(as: secret)
                        || application.clientSecret.isSame(as: Form.decode(secret))
                else {
                    throw RequestRefusal.credentialsWrong(
                        "The secret is not that of the application “\(application.clientID)”.")
                }
                return BackEnd(project: project, application: application)
            }
        }
        throw RequestRefusal.credentialsWrong("No application has the client id “\(id.prefix(80))”.")
    }

    private func serviceAccount(_ token: String) throws -> BackEnd {
        for project in try all()
        where project.serviceAccounts?.contains(where: { $0.token.isSame(as: token) }) ?? false {
            return BackEnd(project: project, application: nil)
        }
        throw RequestRefusal.credentialsWrong(
            "No service account has the token that begins with “\(token.prefix(6))”.")
    }
}

extension Project {
    /// - Throws: ``RegistrationRefusal`` for a user whom it does not let register.
    func requireAdmitted(_ userID: String) throws {
        guard isUserID(userID) else { throw RegistrationRefusal.userIDMalformed(userID) }
        guard admits(userID) else { throw RegistrationRefusal.userNotAllowed(userID) }
    }
}

extension String {
    /// Takes the same time for every difference.
    func isSame(as other: String) -> Bool { constantTimeEqual(Array(utf8), Array(other.utf8)) }
}
