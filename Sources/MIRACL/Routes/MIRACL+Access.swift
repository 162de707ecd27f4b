import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// Which project a request means, and which back end it comes from.
extension MIRACL {
    /// A back end that proved itself.
    struct BackEnd: Sendable {
        let project: Project
        /// Nil for a service account.
        let application: Project.Application?
    }

    /// Every project of the world, decoded once.
    func projects() throws -> [Project] {
        try services.memo.value("miracl.projects") {
            try database.read { db in try Project.all(in: db) }
        }
    }

    /// The same inside of a transaction, where the database must not be asked anew.
    func projects(in db: Connection) throws -> [Project] {
        try services.memo.value("miracl.projects") { try Project.all(in: db) }
    }

    func project(_ id: String) throws -> Project? { try projects().first { $0.id == id } }

    func project(_ id: String, in db: Connection) throws -> Project? {
        try projects(in: db).first { $0.id == id }
    }

    /// The project that a request of an app means: by the header `X-MIRACL-CID`, by the query `project_id` or `cid`, by the OpenID
    /// Connect client of `X-MIRACL-Client-ID`, or the default, which is the only one there is or the one that the fixtures name.
    ///
    /// - Parameter named: what the body says.
    func requireProject(_ request: Request, named: String? = nil) throws -> Project {
        let projects = try projects()
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
    func projectBlockingUnknown(_ request: Request) throws -> Project? {
        do {
            let project = try requireProject(request)
            return project.blockUnknownIdentities ?? false ? project : nil
        } catch let refusal as RequestRefusal where refusal.isProjectMissing {
            return nil
        }
    }

    /// The secrets that an identity's own were made of, computed once; nil when the project does not have them.
    func masterSecret(of identity: Identity, in project: Project) throws -> MasterSecret? {
        try services.memo.value("miracl.projects.master.\(project.id).\(identity.dtas)") {
            KeptSecret(master: try project.masterSecret(of: identity))
        }.master
    }

    private struct KeptSecret: Sendable {
        let master: MasterSecret?
    }

    /// - Throws: ``RegistrationRefusal`` for a user whom the project does not let register.
    func requireAdmitted(_ userID: String, in project: Project) throws {
        guard project.isUserID(userID) else { throw RegistrationRefusal.userIDMalformed(userID) }
        guard project.admits(userID) else { throw RegistrationRefusal.userNotAllowed(userID) }
    }

    /// The project of an OpenID Connect client.
    func project(ofClient clientID: String) throws -> Project? {
        try projects().first { $0.application(clientID) != nil }
    }

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
        for project in try projects() {
            for application in project.applications ?? []
            where application.clientID == id || application.clientID == Form.decode(id) {
                guard
                    application.clientSecret.isSame(as: secret)
                        || application.clientSecret.isSame(as: Form.decode(secret))
                else {
                    throw RequestRefusal.credentialsWrong(
                        "The secret is not that of the application \"\(application.clientID)\".")
                }
                return BackEnd(project: project, application: application)
            }
        }
        throw RequestRefusal.credentialsWrong("No application has the client id \"\(id.prefix(80))\".")
    }

    private func serviceAccount(_ token: String) throws -> BackEnd {
        for project in try projects()
        where project.serviceAccounts?.contains(where: { $0.token.isSame(as: token) }) ?? false {
            return BackEnd(project: project, application: nil)
        }
        throw RequestRefusal.credentialsWrong(
            "No service account has the token that begins with \"\(token.prefix(6))\".")
    }
}

extension String {
    /// Takes the same time for every difference.
    func isSame(as other: String) -> Bool { constantTimeEqual(Array(utf8), Array(other.utf8)) }
}
