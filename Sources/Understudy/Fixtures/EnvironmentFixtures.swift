import Essentials
import Platforms

extension FixtureFiles {
    /// What environment variables say of platforms, as one more file; nil when none does.
    static func text(from environment: [String: String]) -> Text? {
        let sections = Platforms.fixtures(from: environment)
        guard !sections.isEmpty else { return nil }
        return Text(file: "environment variables", bytes: JSONValue.object(sections).bytes)
    }
}
