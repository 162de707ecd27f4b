import Essentials
import Testing

@testable import Understudy

@Suite struct CheckFixturesTests {
    private func check(_ text: String, name: String = "team.json", _ options: String...) throws -> (
        status: Int32, out: String, error: String
    ) {
        var result: (status: Int32, out: String, error: String) = (0, "", "")
        try withFolder { folder in
            let file = folder + "/" + name
            try Data(text.utf8).write(to: URL(filePath: file))
            let recorder = Recorder([:])
            let status = Program.run(["fixtures", "check"] + options + [file], recorder.terminal)
            result = (
                status, recorder.out.replacing(folder + "/", with: ""),
                recorder.error.replacing(folder + "/", with: "")
            )
        }
        return result
    }

    private static let eight = """
        {"people": [{"id": "zoe", "nmae": "Zoe", "email": "zoe@example.com", "story": "is new"}],
         "onegini": {"oauth": {"clients": [
            {"client_id": "a", "client_secret": "s", "redirect_uris": ["localhost:3000/cb"]},
            {"redirct_uris": ["/a"], "client_secret": 5},
            {"client_id": "c", "token_endpoint_auth_method": "nnoe", "redirect_uris": ["/cb"]}]}},
         "hanko": {"users": [{"id": "0f6e8f0a-3c1d-4b0e-9a54-8c35a1f1b001", "emails": [{"adress": "q@example.com"}]}]},
         "clok": {}}
        """

    @Test func `a file with eight mistakes has eight, each at its place`() throws {
        let told = try check(Self.eight)
        let places = told.error.split(separator: "\n").compactMap {
            try? #/team\.json:(\d+:\d+): /#.prefixMatch(in: $0)?.output.1
        }

        #expect(told.status == 1)
        // Line and column of what is wrong, counted by hand; of a member that is missing, of its object.
        #expect(
            places == ["1:27", "3:64", "4:5", "4:6", "4:47", "5:54", "6:81", "7:2"].map { Substring($0) },
            "\(told.error)")
    }

    @Test func `programs get the mistakes as JSON`() throws {
        let told = try check(#"{"clok": {}}"#, "--json")

        #expect(told.status == 1 && told.error.isEmpty)
        #expect(
            told.out.hasPrefix(
                #"{"files":[{"file":"team.json","fine":false,"mistakes":[{"column":2,"field":"clok","file":"team.json","line":1,"reason":"unknown section; did you mean “clock”?"#
            ))
        #expect(
            try check("{}", "--json").out
                == #"{"files":[{"file":"team.json","fine":true,"mistakes":[],"remarks":[]}]}"# + "\n")
    }

    @Test(arguments: [
        ("people:\n  - id: zoe\n", "team.json"), ("# a team\n---\npeople: []\n", "team.txt"),
        ("%YAML 1.2\n---\n", "team"), ("- id: zoe\r\n", "team.yml"),
    ])
    func `YAML is known by its first line, whatever the file is called`(_ text: String, _ name: String) throws
    {
        let told = try check(text, name: name)
        #expect(told.status == 1)
        #expect(told.error.contains("\(name) is YAML. Make JSON of it"))
    }

    @Test(arguments: ["{people: []}", "// YAML: no\n{}", "/* a: b */ {}", "\u{FEFF}{}"])
    func `JSON with comments is no YAML`(_ text: String) throws {
        #expect(try check(text).error == "")
    }
}
