import Embedded

/// `helper LANGUAGE`: a file for tests that talks to this version.
enum HelperCommand {
    /// Files of Web/helpers by the words that people would type for their language.
    private static let files = ["python": "understudy.py", "javascript": "understudy.mjs"]

    static var languages: [String] { files.keys.sorted() }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let language = invocation.operands.first ?? ""
        guard let name = files[language.lowercased()] else {
            throw UsageError("helper knows \(languages.joined(separator: ", ")), not \"\(language)\"")
        }
        guard let file = EmbeddedFile.at("Web/helpers/\(name)") else {
            throw Failure("this program was built without Web/helpers/\(name)")
        }
        terminal.write(String(decoding: file.bytes, as: UTF8.self))
        return 0
    }
}

extension Commands {
    static let helper = Command(
        name: "helper", summary: "print a file for tests in your language",
        operands: .one("LANGUAGE"),
        discussion: [
            "LANGUAGE is python (with pytest fixtures) or javascript (Node). Worlds, codes, clock, faults, snapshots, phones, and why",
            "something was refused; one file without dependencies, which starts understudy or finds it by UNDERSTUDY_URL.",
        ],
        examples: [
            ("helper python > tests/understudy.py", "and pytest_plugins = [\"understudy\"] in conftest.py")
        ],
        run: HelperCommand.run)
}
