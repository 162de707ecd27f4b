import Embedded

/// Which release this is.
enum Version {
    static let number = "0.1.0"
    /// Of the release, for the manual page.
    static let date = "2026-11-23"

    /// `understudy 0.1.0 (commit 0f3a2b91c4de, swift 6.3)`.
    static var line: String { "understudy \(number) (commit \(commit), swift \(compiler))" }

    /// `{"commit": "0f3a2b91c4de", "swift": "6.3", "version": "0.1.0"}`.
    static var parts: [String: String] { ["version": number, "commit": commit, "swift": compiler] }

    /// What `script/release` wrote down; any other build does not know.
    static let commit =
        EmbeddedFile.at("Fixtures/commit.txt").map { file in
            String(decoding: file.bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        } ?? "unknown"

    private static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
