/// Files that teams take into their own project, by the words that people type for them.
///
/// They stand in a folder of `Web/` and say `@VERSION@` where the version of the program belongs.
package struct Handouts: Sendable {
    /// The folder, which is also the path of the call that serves them.
    let folder: String
    /// What one of them is, for sentences.
    let noun: String
    let files: [String: String]

    /// Helpers for tests, by language.
    package static let helpers = Handouts(
        folder: "helpers", noun: "helper",
        files: [
            "python": "understudy.py", "javascript": "understudy.mjs", "typescript": "understudy.d.mts",
            "swift": "Understudy.swift", "swift-passkeys": "UnderstudyPasskeys.swift",
            "kotlin": "Understudy.kt", "kotlin-junit4": "UnderstudyJUnit4.kt", "java": "Understudy.java",
            "dart": "understudy.dart",
        ])

    /// Files of which a part stands in another one: that one, and the part's word. A line `// BEGIN WORD` begins what is for it alone, `// END`
    /// ends it. A project has one test runner, so that a file for two would not compile.
    private static let parts = [
        "Understudy.kt": (of: "Understudy.kt", word: "junit5"),
        "UnderstudyJUnit4.kt": (of: "Understudy.kt", word: "junit4"),
    ]

    /// Stand-ins for SDKs whose protocols are closed, by the name of their file.
    package static let stubs = Handouts(
        folder: "stubs", noun: "stub",
        files: Dictionary(
            uniqueKeysWithValues: [
                "NextAuth.kt", "NextAuth.swift", "OneginiSDK-android.tar", "OneginiSDK.swift",
            ]
            .map { ($0.lowercased(), $0) }))

    /// The Kotlin files of archives, which stand in a folder beside the others and are packed by their packages.
    private static let archives = [
        "OneginiSDK-android.tar": (
            folder: "onegini-android",
            files: ["action", "callback", "client", "entity", "error", "handlers", "model", "request"]
        )
    ]

    /// All words, in alphabetical order.
    package var words: [String] { files.keys.sorted() }

    /// The file that a word means, or that is called so; nil when there is none.
    package func file(_ name: String) -> String? {
        files[name.lowercased()] ?? files.values.first { $0 == name }
    }

    /// A file with the version of the program in it, in an archive in each of its files; nil where the folder with the pages has none.
    package func text(of file: String, version: String, in web: WebFiles) -> String? {
        guard let archive = Self.archives[file] else { return read(file, version, web) }
        var made = TarArchive()
        for name in archive.files {
            guard let text = read("\(archive.folder)/\(name).kt", version, web),
                let package = text.split(separator: "\n").first(where: { $0.hasPrefix("package ") })
            else { return nil }
            let path = package.dropFirst("package ".count).split(separator: ".").joined(separator: "/")
            made.add("\(path)/\(name).kt", Array(text.utf8))
        }
        // Texts and zeros, which are characters too.
        return String(decoding: made.bytes, as: UTF8.self)
    }

    private func read(_ file: String, _ version: String, _ web: WebFiles) -> String? {
        let part = Self.parts[file]
        return web.read("\(folder)/\(part?.of ?? file)").map { bytes in
            let text = String(decoding: bytes, as: UTF8.self).replacing("@VERSION@", with: version)
            return part.map { Self.only($0.word, of: text) } ?? text
        }
    }

    /// The lines for everybody, and those for `word`.
    private static func only(_ word: String, of text: String) -> String {
        var reader: Substring?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let begin = "// BEGIN "
            if line.hasPrefix(begin) { reader = line.dropFirst(begin.count) }
            defer { if line == "// END" { reader = nil } }
            return reader == nil || (reader == word[...] && !line.hasPrefix(begin) && line != "// END")
        }
        return lines.joined(separator: "\n")
    }
}
