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
