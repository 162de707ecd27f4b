import Foundation
import Testing

/// The rules of the house that the compiler does not check.
@Suite struct HouseTests {
    /// The folders of `Sources`.
    static let modules = Manifest.folders(of: "Sources")

    /// The one file that knows Foundation, and the one floor that knows the operating system; the program's own dealings with
    /// it (signals, child processes, standard streams) are kept in one folder.
    static let knowsTheSystem = ["Essentials/", "Sockets/", "Understudy/System/"]

    /// Whose letters are those of protocols, which are ASCII.
    static let speaksProtocols = [
        "HTTP", "HTTPClient", "HTTPServer", "Sockets", "Mail", "MailServer", "Crypto", "JOSE", "WebAuthn",
        "OpenID", "Upstream",
    ]

    @Test(arguments: speaksProtocols)
    func `upper and lower case are those of ASCII where protocols are spoken`(_ module: String) throws {
        for (file, text) in try sources(of: module) {
            #expect(
                !text.contains(/\.(lower|upper)cased\(\)/),
                "\(file): Unicode takes ſ for an S; asciiLowercased and asciiUppercased do not")
        }
    }

    @Test func `every module is a target`() {
        for module in Self.modules where Manifest.read.dependencies[module] == nil {
            Issue.record("Package.swift has no target for Sources/\(module): add module(\"\(module)\", […])")
        }
    }

    @Test(arguments: modules)
    func `a module imports only what its target depends on`(_ module: String) throws {
        let allowed = (Manifest.read.dependencies[module] ?? [])
            .union(["Essentials", "Synchronization"])
            .union(Self.systemModules(of: module))
        for (file, text) in try sources(of: module) {
            for match in text.matches(
                of: /(?m)^\s*(?:@\w+ )*(?:package |public )?import (?:struct |class |enum |func )?(\w+)/)
            where !allowed.contains(String(match.1)) {
                Issue.record(
                    """
                    \(module)/\(file) imports \(match.1): write "\(match.1)" into the dependencies of "\(module)" in \
                    Package.swift, if \(match.1) stands below it; else what is needed moves down
                    """)
            }
        }
    }

    @Test func `the manifest is read as it is written`() {
        let text = """
            products: [.executable(name: "tool", targets: ["Tool"])],
            .systemLibrary(name: "CLib", pkgConfig: "lib", providers: [.apt(["lib-dev"])]),
            module("Ground"),
            module(
                "House", ["Ground", "CLib"]),
            .executableTarget(name: "Tool", dependencies: ["House"], swiftSettings: strict),
            tests(of: "House", ["Tool"]),
            """
        let read = Manifest(text: text).dependencies
        #expect(
            read == ["tool": [], "CLib": [], "Ground": [], "House": ["Ground", "CLib"], "Tool": ["House"]])
    }

    /// Whoever wants all of them asks `Platforms`; nobody needs one of them.
    @Test func `no module depends on a platform but the list of them`() {
        let read = Manifest.read
        let platforms = (read.dependencies["Platforms"] ?? []).subtracting([
            "Essentials", "PlatformKit", "Phone",
        ])
        #expect(platforms.count >= 6)
        for module in Self.modules where module != "Platforms" {
            for platform in (read.dependencies[module] ?? []).intersection(platforms).sorted() {
                Issue.record(
                    "\(module) depends on \(platform): take it out of the dependencies of \"\(module)\" in Package.swift"
                )
            }
        }
    }

    @Test(arguments: modules)
    func `only the lowest floor and the program's own corner know the operating system`(_ module: String)
        throws
    {
        for (file, text) in try sources(of: module) {
            let isAllowed = Self.knowsTheSystem.contains { (module + "/" + file).hasPrefix($0) }
            #expect(isAllowed || !text.contains("canImport("), "\(module)/\(file)")
            #expect(
                isAllowed || text.firstMatch(of: /import (Glibc|Darwin|Musl)/) == nil, "\(module)/\(file)")
        }
    }

    @Test(arguments: modules.filter { $0 != "PlatformKit" })
    func `time and chance come from Services alone`(_ module: String) throws {
        let direct = /\bDate\(\)|\bDate\.now\b|\bUUID\(\)|\.random\(|SystemRandomNumberGenerator/
        for (file, text) in try sources(of: module) {
            #expect(text.firstMatch(of: direct) == nil, "\(module)/\(file)")
        }
    }

    @Test(arguments: modules)
    func `nothing that input can reach is a trap by design`(_ module: String) throws {
        for (file, text) in try sources(of: module) {
            #expect(text.firstMatch(of: /\b(?:try!|fatalError\(|as!)\x20?/) == nil, "\(module)/\(file)")
        }
    }

    @Test func `no sentence is empty by default`() throws {
        for module in Self.modules {
            for (file, text) in try sources(of: module) {
                #expect(!text.contains("default: \"\""), "\(file)")
            }
        }
    }

    /// One pair of quotation marks, “ and ”, in all that people read.
    @Test func `no text has angle quotation marks`() throws {
        let web = try FileManager.default.subpathsOfDirectory(atPath: Self.web.path)
            .filter { $0.firstMatch(of: /\.(js|css|html|md|json|py)$/) != nil }
            .map { ($0, try String(contentsOf: Self.web.appending(path: $0), encoding: .utf8)) }
        let swift = try Self.modules.flatMap { try sources(of: $0) }.map { ($0.file, $0.text) }
        #expect(web.count > 20 && swift.count > 1000)
        for (file, text) in web + swift {
            #expect(!text.contains { "\u{AB}\u{BB}".contains($0) }, "\(file)")
        }
    }

    /// A memory BIO made with it points at bytes that an optimized program has freed by the time they are read.
    @Test func `OpenSSL reads from bytes of its own`() throws {
        for (file, text) in try ["Crypto", "Sockets"].flatMap({ try sources(of: $0) }) {
            #expect(!text.contains("BIO_new_mem_buf"), "\(file): crypto_bio_of")
        }
    }

    /// A whole world in memory is too much for a small machine, and `Console.exported` asks for it first.
    @Test func `the console exports a world through one door`() throws {
        let files = try sources(of: "Console").filter { $0.text.contains(/\.export\(/) }.map(\.file)
        #expect(files == ["Calls/FixtureCalls.swift"], "call exported(world:use:)")
    }

    /// Each insert asks for the ended rows of such a table.
    @Test func `a table that is tidied finds its ended rows by an index`() throws {
        let declared = /Table\(\s*"(\w+)"[^)]*keptSeconds/
        let modules = Self.modules.filter { $0 != "SQLite" }
        let texts = try modules.flatMap { try sources(of: $0).map(\.text) }
        let tables = texts.flatMap { $0.matches(of: declared).map { String($0.1) } }
        #expect(tables.contains("miracl_session"))
        for table in tables {
            #expect(texts.contains { $0.contains(" ON \(table) (expires_at)") }, "\(table)")
        }
    }

    @Test func `unchecked promises to the compiler stay where threads and C are`() throws {
        let allowed: Set = [
            "Sockets", "HTTPServer", "HTTPClient", "MailServer", "Crypto", "SQLite", "QRCode",
        ]
        for module in Self.modules where !allowed.contains(module) {
            for (file, text) in try sources(of: module) {
                let unchecked = text.firstMatch(
                    of: /@unchecked Sendable|nonisolated\(unsafe\)|Task\.detached/)
                #expect(unchecked == nil, "\(module)/\(file)")
            }
        }
    }

    /// Each read of such a box through a generic `inout`, as in `withLock`, wraps the closure twice more and puts that back: slower with
    /// each read, until the stack is too short for a call. A struct or a class around the closure keeps it as it is; a closure inside
    /// an optional, a tuple, an array or a dictionary is wrapped like a bare one. Source: swiftlang/swift issue 91348.
    @Test(arguments: ["Sources", "Tests"])
    func `no closure lies bare in a generic box`(_ folder: String) throws {
        let files = try Self.swiftFiles(below: Self.root.appending(path: "../" + folder).standardizedFileURL)
            .filter { !$0.file.hasPrefix("HouseTests/") }
        let closures = Set(files.flatMap { Boxes.closureNames(in: $0.text) })
        let boxes = Set(files.flatMap { Boxes.ownNames(in: $0.text) }).union(Boxes.known)
        for (file, text) in files {
            #expect(Boxes.bareClosures(in: text, boxes: boxes, closures: closures) == [], "\(folder)/\(file)")
        }
    }

    @Test(arguments: [
        "let a = Mutex<(@Sendable () -> Void)?>(nil)", "let a: Mutex<End>", "let a = Mutex<[Int: End]>([:])",
        "let a = Mutex<(end: () -> Void, count: Int)>(x)", "let a = Atomic<End>(x)", "let a: Holder<[End?]>",
        "let a = Mutex({ 1 })",
    ])
    func `the rule sees a bare closure`(_ line: String) {
        let found = Boxes.bareClosures(in: line, boxes: ["Mutex", "Atomic", "Holder"], closures: ["End"])
        #expect(found.count == 1)
    }

    @Test(arguments: [
        "let a = Mutex<Ending?>(nil)", "let a = Mutex<[Int: [UInt]]>([:])", "let a: Holder<Endless>",
        "let a: Dictionary<String, End>", "let a = Mutex<Int>(0); let b: () -> Void",
    ])
    func `the rule sees nothing else`(_ line: String) {
        #expect(Boxes.bareClosures(in: line, boxes: ["Mutex", "Atomic", "Holder"], closures: ["End"]) == [])
    }

    /// A row, a snapshot's file, fixtures and clients may bring any number; what adds, multiplies or converts it ends at the last one
    /// (`Essentials`: `Int+Saturating`, `Date+Units`).
    @Test(arguments: modules.filter { !trapsFreely.contains($0) })
    func `what comes from outside is counted and converted without a trap`(_ module: String) throws {
        #expect(Self.counters.isSuperset(of: ["failedAttempts", "revision", "seen"]))
        for (file, text) in try sources(of: module) {
            for trap in Arithmetic.traps(in: text, counters: Self.counters) {
                Issue.record("\(module)/\(file): \(trap.remedy) in the place of “\(trap.line)”")
            }
        }
    }

    @Test(arguments: modules)
    func `a turn reads the clock when it has its place`(_ module: String) throws {
        for (file, text) in try sources(of: module) {
            for turn in EarlyTimes.turns(in: text) {
                Issue.record("\(module)/\(file): “\(turn)” uses a time read before it; write turn.now")
            }
        }
    }

    @Test func `the rule sees a time that a turn finds older than what it reads`() {
        let early = """
                let now = services.clock.now()
                try world.change { turn in
                    hook.updatedAt = now
                }
            """
        #expect(EarlyTimes.turns(in: early) == ["try world.change { turn in"])
        #expect(EarlyTimes.turns(in: early.replacing("= now", with: "= turn.now")) == [])
    }

    /// The vocabulary itself, and floors whose numbers are the operating system's.
    static let trapsFreely: Set = [
        "Essentials", "Sockets", "Embed", "EmbedPlugin", "CSQLite", "COpenSSL", "CQREncode",
    ]

    @Test(arguments: [
        "let a = Int(now.timeIntervalSince1970)", "Int(a.timeIntervalSince(b).rounded(.up))",
        "let a = Int64(seconds * 1000)", "let a = Int(x.rounded())", "app.revision += 1",
        "UInt32(d.timeIntervalSince1970)",
        "health.revision = other.revision + 1", "found?.revision += 1",
    ])
    func `the rule sees what may trap`(_ line: String) {
        #expect(Arithmetic.traps(in: line, counters: ["revision"]).count == 1)
    }

    @Test(arguments: [
        "let a = now.unixSeconds", "Int(saturating: a.timeIntervalSince(b), .up)",
        "// Int(now.timeIntervalSince1970)",
        "app.revision.increment()", "state.rings += 1", "revision.adding(1)",
        "UInt32(exactly: a.timeIntervalSince1970)",
    ])
    func `the rule sees no other arithmetic`(_ line: String) {
        #expect(Arithmetic.traps(in: line, counters: ["revision"]) == [])
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL

    private static let web = URL(filePath: #filePath).appending(path: "../../../Web").standardizedFileURL

    private static func systemModules(of module: String) -> Set<String> {
        switch module {
        case "Essentials": ["Foundation", "FoundationEssentials"]
        case "EmbedPlugin": ["PackagePlugin", "Foundation"]
        case "PlatformKit", "Phone": ["Dispatch"]
        case "TestKit": ["Testing", "Dispatch"]
        case "Sockets", "Understudy": ["Glibc", "Darwin", "Musl"]
        default: []
        }
    }

    func sources(of module: String) throws -> [(file: String, text: String)] {
        try Self.sources[module, default: .success([])].get()
    }

    /// By module, read once.
    private static let sources = Dictionary(
        uniqueKeysWithValues: modules.map { module in
            (module, Result { try swiftFiles(below: root.appending(path: module)) })
        })

    private static let counters = Set(
        sources.values.flatMap { (try? $0.get()) ?? [] }.flatMap { Arithmetic.counters(in: $0.text) })

    private static func swiftFiles(below folder: URL) throws -> [(file: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }
}
