import Essentials
import OpenID
package import PlatformKit
import SQLite

/// Projects, applications in them, and activation tokens, with which a user registers without a mail.
extension MIRACL: MakesRecords {
    package static let recordMakers = [
        RecordMaker<MIRACL>(CodeView.kind) { miracl in
            let projects = try miracl.projects.all().map(\.id)
            guard let first = projects.first else { return nil }
            return NewRecord(
                kind: CodeView.kind, title: "Create an activation token",
                inputs: [
                    ConsoleRecord.Input(
                        "project", "Project", isRequired: true, choices: projects, preset: first),
                    ConsoleRecord.Input("user", "User", isRequired: true),
                ])
        } make: {
            try $0.makeActivation($1)
        },
        RecordMaker(ProjectView.kind) { _ in
            newProject
        } make: {
            try $0.makeProject($1)
        },
    ]

    private static let newProject = NewRecord(
        kind: ProjectView.kind, title: "Create a project",
        inputs: [
            ConsoleRecord.Input("id", "Company or project id", isRequired: true),
            ConsoleRecord.Input("name", "Name"),
            ConsoleRecord.Input("client_id", "Client id of its application"),
            ConsoleRecord.Input("client_secret", "Client secret"),
            ConsoleRecord.Input("redirect_uri", "Redirect URI", preset: "http://localhost:3000/login"),
        ])

    private func makeActivation(_ inputs: [String: String]) throws -> String {
        guard let name = inputs["project"] else { throw RecordRefusal.inputMissing("project") }
        guard let userID = inputs["user"] else { throw RecordRefusal.inputMissing("user") }
        guard let project = try projects.find(name) else {
            throw RecordRefusal.inputWrong("There is no project “\(name.prefix(80))”.")
        }
        let code = OneTimeCode(
            kind: .activation, text: world.token(for: "activation"), projectID: project.id, userID: userID,
            origin: .forced, createdAt: now, expiresAt: world.time(in: project.activationSeconds))
        try world.change { turn in try turn.insert(code) }
        return CodeView.id(of: code)
    }

    /// With an application, if its client id is there.
    private func makeProject(_ inputs: [String: String]) throws -> String {
        guard let id = inputs["id"] else { throw RecordRefusal.inputMissing("id") }
        var project = Project(id: id, name: inputs["name"] ?? id)
        if let clientID = inputs["client_id"] {
            guard let uri = inputs["redirect_uri"] else { throw RecordRefusal.inputMissing("redirect_uri") }
            project.applications = [
                Project.Application(
                    clientID: clientID,
                    clientSecret: inputs["client_secret"] ?? world.token(for: "client_secret"),
                    redirectURIs: [uri])
            ]
        }
        let made = project
        try world.change { turn in
            try insert(made, in: turn.db)
            turn.forget("miracl.projects")
        }
        return id
    }

    /// - Throws: `RecordRefusal` with what a fixture file would be refused for.
    private func insert(_ project: Project, in db: Connection) throws {
        let others = try Project.all(in: db)
        do {
            var rules = FixtureRules()
            for each in others + [project] { try each.check(&rules, at: []) }
            try db.save(KeptProject(project))
            var oauth = OpenIDFixtures()
            oauth.clients = try (project.applications ?? []).map { try $0.client() }
            try AuthorizationServer.load(oauth, server: Self.name, into: db)
        } catch let problem as FixtureProblem {
            throw RecordRefusal.inputWrong("The project cannot be created: \(problem.reason).")
        }
    }
}
