import Essentials
import PlatformKit

/// A project as the console shows one.
struct ProjectView {
    static let kind = "project"

    /// What can be done to one.
    enum Action: String, CaseIterable {
        /// Takes registrations as confirmed, or no more.
        case force, unforce
        case configure, redirect, rotate
    }

    let project: Project

    var record: ConsoleRecord {
        ConsoleRecord(
            id: project.id, title: project.name, user: nil,
            state: project.forceActivation ?? false ? "force activation" : "active",
            // Fixtures say no time; 2026-01-01 is that of everything else there.
            createdAt: Date(timeIntervalSince1970: 1_767_225_600), facts: facts, actions: actions)
    }

    private var facts: [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Company or project id", project.id), ("Verification", project.method.rawValue),
            ("PIN", "\(project.pinDigits) digits, \(project.attemptLimit.counted("attempt"))"),
            ("Between two mails", "\(project.backoffSeconds) s"),
            ("Access code", "\(project.sessionSeconds) s"),
            ("Time permits", project.wantsPermits ? "demanded" : nil),
            ("Previous master shares", project.previousShares.map { "\($0.count)" }),
            ("Force-activated users", project.forceActivatedUsers?.joined(separator: "\n")),
            ("Allowed users", project.allowedUsers?.joined(separator: "\n")),
            ("Applications", lines(project.applications?.map { "\($0.clientID), \($0.clientSecret)" })),
            (
                "Redirect URIs",
                lines(
                    project.applications?.map { "\($0.clientID): " + $0.redirectURIs.joined(separator: " ") })
            ),
            ("Meant by requests that name none", project.isDefault ?? false ? "yes" : nil),
            ("Service accounts", lines(project.serviceAccounts?.map(\.token))),
        ]
        return ConsoleRecord.Fact.known(all)
    }

    private func lines(_ lines: [String]?) -> String? { lines?.joined(separator: "\n") }

    private var actions: [ConsoleRecord.Action] {
        let forces = project.forceActivation ?? false
        return [
            forces
                ? ConsoleRecord.Action(Action.unforce.rawValue, "Stop force activation")
                : ConsoleRecord.Action(Action.force.rawValue, "Take every registration as confirmed"),
            ConsoleRecord.Action(
                Action.configure.rawValue, "Change", inputs: ProjectChange.inputs(of: project)),
        ] + redirection + [
            ConsoleRecord.Action(Action.rotate.rawValue, "Replace the master shares", isFinal: true)
        ]
    }

    private var redirection: [ConsoleRecord.Action] {
        guard let applications = project.applications, let first = applications.first else { return [] }
        return [
            ConsoleRecord.Action(
                Action.redirect.rawValue, "Change redirect URIs",
                inputs: [
                    ConsoleRecord.Input(
                        "client_id", "Client", isRequired: true, choices: applications.map(\.clientID),
                        preset: first.clientID),
                    ConsoleRecord.Input(
                        "redirect_uris", "All its redirect URIs, one a line", isRequired: true,
                        preset: first.redirectURIs.joined(separator: "\n"), isLong: true),
                ])
        ]
    }
}
