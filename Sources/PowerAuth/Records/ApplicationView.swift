import Essentials
import PlatformKit

/// An application as the console shows one, with what it takes of the mobile protocol.
struct ApplicationView {
    static let kind = "application"
    /// The name of what can be done to one.
    static let change = "change"

    let application: Application
    let suites: ApplicationSuites
    let versions: [ApplicationVersion]
    /// What apps are built with, by the SDK that takes it; in lists none.
    var configurations: [ConsoleRecord.Fact] = []

    var record: ConsoleRecord {
        ConsoleRecord(
            id: application.id, title: application.id, user: nil,
            state: versions.contains(where: \.isSupported) ? "active" : "disabled", createdAt: .ofFixtures,
            facts: facts,
            actions: [ConsoleRecord.Action(Self.change, "Change", inputs: ProtocolChange.inputs(of: suites))])
    }

    private var facts: [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Roles", application.roles.isEmpty ? nil : application.roles.joined(separator: ", ")),
            ("Supported algorithms", suites.algorithms.map(\.rawValue).joined(separator: ", ")),
            ("New activations", suites.minimumProtocol > 3 ? "of protocol 4 alone" : "of protocol 3 and 4"),
            ("Upgrade to 4.0", suites.offersUpgrade ? "offered" : "not offered"),
            ("Versions", versions.map(told).joined(separator: "\n")),
        ]
        return ConsoleRecord.Fact.known(all) + configurations
    }

    private func told(_ version: ApplicationVersion) -> String {
        "\(version.name), application key \(version.key)" + (version.isSupported ? "" : ", not supported")
    }
}

/// What an application takes of the mobile protocol, as it is changed from outside; what is left out stays.
enum ProtocolChange {
    private static let (algorithms, minimum, upgrade) = (
        "supported_algorithms", "minimum_protocol", "offers_upgrade"
    )

    static func inputs(of suites: ApplicationSuites) -> [ConsoleRecord.Input] {
        [
            ConsoleRecord.Input(
                algorithms,
                "Algorithms, one a line: "
                    + ApplicationSuites.Algorithm.allCases.map(\.rawValue).joined(separator: ", "),
                preset: suites.algorithms.map(\.rawValue).joined(separator: "\n"), isLong: true),
            ConsoleRecord.Input(
                minimum, "Least protocol of new activations",
                choices: ApplicationSuites.protocols.map(String.init), preset: "\(suites.minimumProtocol)"),
            ConsoleRecord.Input(
                upgrade, "Offers the upgrade from 3.3 to 4.0", choices: ["no", "yes"],
                preset: suites.offersUpgrade ? "yes" : "no"),
        ]
    }

    /// - Throws: `RecordRefusal` for an algorithm that is none, or is named twice.
    static func apply(_ inputs: [String: String], to suites: inout ApplicationSuites) throws {
        if let text = inputs[algorithms] { suites.algorithms = try Self.algorithms(in: text) }
        if let text = inputs[minimum] {
            guard let number = Int(text), ApplicationSuites.protocols.contains(number) else {
                throw RecordRefusal.inputWrong(
                    "The least protocol is “\(text.prefix(40))”, expected 3 or 4.")
            }
            suites.minimumProtocol = number
        }
        if let text = inputs[upgrade] {
            guard let offers = ["yes": true, "no": false][text] else {
                throw RecordRefusal.inputWrong(
                    "Whether the upgrade is offered is “\(text.prefix(40))”, expected yes or no.")
            }
            suites.offersUpgrade = offers
        }
    }

    private static func algorithms(in text: String) throws -> [ApplicationSuites.Algorithm] {
        var found: [ApplicationSuites.Algorithm] = []
        for name in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).map(String.init) {
            guard let algorithm = ApplicationSuites.Algorithm(rawValue: name) else {
                let known = ApplicationSuites.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw RecordRefusal.inputWrong(
                    "There is no algorithm “\(name.prefix(40))”, only \(known).")
            }
            guard !found.contains(algorithm) else {
                throw RecordRefusal.inputWrong("The algorithm \(name) is named twice.")
            }
            found.append(algorithm)
        }
        guard !found.isEmpty else { throw RecordRefusal.inputMissing(algorithms) }
        return found
    }
}
