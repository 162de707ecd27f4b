import PlatformKit

/// What the console changes of a project's settings.
struct ProjectChange {
    static func inputs(of project: Project) -> [ConsoleRecord.Input] {
        [
            ConsoleRecord.Input(
                "pin_length", "Digits of a PIN", choices: ["4", "5", "6"], preset: "\(project.pinDigits)"),
            ConsoleRecord.Input("max_attempts", "Wrong PINs that block", preset: "\(project.attemptLimit)"),
            ConsoleRecord.Input("backoff", "Seconds between two mails", preset: "\(project.backoffSeconds)"),
            ConsoleRecord.Input("session", "Seconds of an access code", preset: "\(project.sessionSeconds)"),
            ConsoleRecord.Input(
                "verification_method", "Verification",
                choices: Project.VerificationMethod.allCases.map(\.rawValue), preset: project.method.rawValue),
            ConsoleRecord.Input(
                "time_permits", "Demands time permits", choices: ["yes", "no"],
                preset: project.wantsPermits ? "yes" : "no"),
        ]
    }

    /// The project with what was filled in; the rest stays.
    ///
    /// - Throws: `RecordRefusal`.
    static func apply(_ inputs: [String: String], to project: Project) throws -> Project {
        var changed = project
        if let number = try number(inputs, "pin_length", 4...6) { changed.pinLength = number }
        if let number = try number(inputs, "max_attempts", 1...1000) { changed.maxAttempts = number }
        if let number = try number(inputs, "backoff", 0...86_400) { changed.backoff = number }
        if let number = try number(inputs, "session", 1...1_000_000_000) {
            changed.lifetimes = changed.lifetimes ?? Project.Lifetimes()
            changed.lifetimes?.session = number
        }
        if let text = inputs["verification_method"], !text.isEmpty {
            guard let method = Project.VerificationMethod(rawValue: text) else {
                throw RecordRefusal.inputWrong(
                    "Verification is “\(text.prefix(40))”, expected link, code or custom.")
            }
            changed.verificationMethod = method
        }
        if let text = inputs["time_permits"], !text.isEmpty {
            guard ["yes", "no"].contains(text) else {
                throw RecordRefusal.inputWrong(
                    "Time permits is “\(text.prefix(40))”, expected yes or no.")
            }
            changed.timePermits = text == "yes"
        }
        return changed
    }

    private static func number(
        _ inputs: [String: String], _ name: String, _ range: ClosedRange<Int>
    ) throws -> Int? {
        guard let text = inputs[name], !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw RecordRefusal.inputWrong(
                "The value “\(name)” is “\(text.prefix(40))”, expected a number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return number
    }
}
