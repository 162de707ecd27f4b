import PlatformKit

/// The form that starts a registration.
enum NewRegistration {
    static let kind = "registration"

    static func form(applications: [String]) -> NewRecord {
        let phases = Activation.CommitPhase.allCases.map(\.rawValue)
        return NewRecord(
            kind: kind, title: "Start a registration",
            inputs: [
                ConsoleRecord.Input("user", "User", isRequired: true),
                ConsoleRecord.Input(
                    "application", "Application", isRequired: true, choices: applications,
                    preset: applications.first ?? ""),
                ConsoleRecord.Input("otp", "Activation OTP"),
                ConsoleRecord.Input(
                    "commit_phase", "Commit phase", choices: phases,
                    preset: Activation.CommitPhase.onCommit.rawValue),
            ])
    }

    /// - Throws: `RecordRefusal`.
    static func activation(_ inputs: [String: String]) throws -> NewActivation {
        guard let user = inputs["user"] else { throw RecordRefusal.inputMissing("user") }
        guard let application = inputs["application"] else { throw RecordRefusal.inputMissing("application") }
        guard user.count <= 255 else {
            throw RecordRefusal.inputWrong(
                "The id of a user has at most 255 characters, this one has \(user.count).")
        }
        var new = NewActivation(user: user, application: application, otp: inputs["otp"])
        if let text = inputs["commit_phase"] {
            guard let phase = Activation.CommitPhase(rawValue: text) else {
                let known = Activation.CommitPhase.allCases.map(\.rawValue).joined(separator: " or ")
                throw RecordRefusal.inputWrong(
                    "The commit phase is “\(text.prefix(40))”, expected \(known).")
            }
            new.commitPhase = phase
        }
        return new
    }
}
