import Foundation
import Testing

/// Inside a module names point down, as imports do between modules: record → rule and refusal → duty → announcement → route → front page.
///
/// An arrow leads from a file to the file of a type that it names. Names are looked up as the compiler does it, in the braces where they
/// stand: a nested type is another one than its namesake elsewhere. An extension names the type that it extends; the file of the type does not
/// name its extensions, so a front page whose routes stand in extensions names none of them. Methods, properties and what a type inherits are
/// not seen: a file can be understood without the file of a method's extension more easily than without that of a type.
@Suite struct FloorsTests {
    /// A cycle of two or three files, such as a parser and its tree, can be read all at once.
    static let largestCycle = 3
    /// Files in such cycles, of all modules together.
    static let mostFiles = 30
    /// The rooms of modules that have floors: a file names types of its own room and of those below, none of a room beside it. A room is a
    /// folder below the module.
    static let rooms = [
        "PlatformKit": [
            ["Ground"], ["Fixtures", "Outbox"], ["Journal", "Keys"], ["Outgoing"], ["Faults", "Services"],
            ["World"], ["Platform"], ["Worlds"], ["Dispatch"],
        ]
    ]

    @Test(arguments: HouseTests.modules)
    func `names point down`(_ module: String) throws {
        let graph = try Self.graph(of: module)
        let large = graph.cycles.filter { $0.count > Self.largestCycle }
        let files = graph.cycles.joined().count
        #expect(large.isEmpty, "\(module) has \(files) files in cycles.\n\(Self.arrows(of: large, graph))")
    }

    @Test(arguments: rooms.keys.sorted())
    func `rooms stand on floors`(_ module: String) throws {
        let rooms = try #require(Self.rooms[module])
        let graph = try Self.graph(of: module)
        let homeless = graph.next.keys.filter { !rooms.joined().contains(Self.room(of: $0)) }.sorted()
        #expect(homeless == [], "every file stands in a room, and every room on a floor of this test")
        #expect(Self.arrowsUp(graph, rooms) == [], "name what stands below, or move what is named")
    }

    /// Between rooms, those that do not lead to a floor below.
    private static func arrowsUp(_ graph: FileGraph, _ floors: [[String]]) -> [String] {
        func floor(_ file: String) -> Int? { floors.firstIndex { $0.contains(room(of: file)) } }
        return graph.arrows.compactMap { arrow, types in
            guard room(of: arrow.from) != room(of: arrow.to), let from = floor(arrow.from),
                let to = floor(arrow.to), to >= from
            else { return nil }
            return "\(arrow.from) → \(arrow.to) by \(types.sorted().joined(separator: ", "))"
        }.sorted()
    }

    private static func graph(of module: String) throws -> FileGraph {
        try #require(graphs[module]).get()
    }

    /// By module, made once.
    private static let graphs = Dictionary(
        uniqueKeysWithValues: HouseTests.modules.map { module in
            (module, Result { FileGraph(try HouseTests().sources(of: module)) })
        })

    private static func room(of file: String) -> String {
        file.contains("/") ? String(file.prefix { $0 != "/" }) : ""
    }

    @Test func `few files stand in cycles at all`() throws {
        let graphs = try HouseTests.modules.map { ($0, try Self.graph(of: $0)) }
        let files = graphs.flatMap(\.1.cycles).joined().count
        let arrows = graphs.map { "\($0)\n" + Self.arrows(of: $1.cycles, $1) }.joined(separator: "\n")
        #expect(files <= Self.mostFiles, "\(files) files stand in cycles.\n\(arrows)")
    }

    /// What to cut, one line for each arrow.
    private static func arrows(of cycles: [[String]], _ graph: FileGraph) -> String {
        cycles.flatMap { ["a cycle of \($0.count); cut:"] + graph.arrowsToCut(in: $0) }
            .joined(separator: "\n")
    }

    @Test func `a cycle is found, and where to cut it`() {
        let graph = FileGraph([
            ("Record.swift", "struct Record { let rule: Rule }"),
            ("Rule.swift", "struct Rule { let record: Record; let duty: Duty }"),
            ("Duty.swift", "struct Duty { let record: Record }"),
            ("Route.swift", "extension Front { func route(_ duty: Duty) {} }"),
            ("Front.swift", "struct Front { let duty: Duty }"),
        ])
        #expect(graph.cycles == [["Duty.swift", "Record.swift", "Rule.swift"]])
        #expect(graph.arrowsToCut(in: graph.cycles[0]) == ["Record.swift → Rule.swift by Rule"])
    }

    @Test func `a name of a room above or beside is found`() {
        let graph = FileGraph([
            ("Low/A.swift", "struct A { let b: B }"), ("Low/C.swift", "struct C { let d: D }"),
            ("Beside/D.swift", "struct D {}"), ("High/B.swift", "struct B { let c: C }"),
        ])
        #expect(
            Self.arrowsUp(graph, [["Low", "Beside"], ["High"]])
                == ["Low/A.swift → High/B.swift by B", "Low/C.swift → Beside/D.swift by D"])
    }

    @Test(arguments: [
        "// Other", "/* Other /* Other */ Other */", "let a = \"Other\"", "let a = #\"\\(Other.a)\"#",
        "let a = \"\"\"\n  Other \"Other\" \\\"\"\" Other\n  \"\"\"", "let a = x.Other",
        "struct A { enum Other {}; let a: Other }",
        "extension A.B { typealias Other = Int; func f() -> Other { 1 } }",
        "protocol P { associatedtype Other }",
    ])
    func `no type is named where none is meant`(_ text: String) {
        #expect(FileGraph([("A.swift", text), ("Other.swift", "struct Other {}")]).arrows.isEmpty)
    }

    @Test(arguments: [
        "let a: [Other?]", "let a = \"\\(Other(1))\"", "let a = #\"\\#(f(g(Other.a)))\"#",
        "extension Other {}",
        "let a = x / y // \"\nlet b: Other", "struct A { struct B { enum Other {} }; let a: Other }",
        "let a = \"\"\"\n  \\(Other.a)\n  \"\"\"", "func f() -> any Other.Type { a }",
        "let a: Set<Other.Part>",
    ])
    func `a type that is named is found`(_ text: String) {
        let graph = FileGraph([("A.swift", text), ("Other.swift", "struct Other {}")])
        #expect(graph.arrows == [.init(from: "A.swift", to: "Other.swift"): ["Other"]])
    }

    @Test func `a nested type is at home where it is declared`() {
        let graph = FileGraph([
            ("A.swift", "struct A { let part: Part }"), ("A+Part.swift", "extension A { struct Part {} }"),
            ("B.swift", "let part: A.Part"), ("C.swift", "let part: Part"),
        ])
        #expect(graph.arrows[.init(from: "A.swift", to: "A+Part.swift")] == ["A.Part"])
        #expect(graph.arrows[.init(from: "B.swift", to: "A+Part.swift")] == ["A.Part"])
        #expect(graph.next["C.swift"] == [])
    }
}
