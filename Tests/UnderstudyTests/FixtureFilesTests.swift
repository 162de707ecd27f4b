import Essentials
import PlatformKit
import Testing

@testable import Understudy

@Suite struct FixtureFilesTests {
    private func person(_ id: String, _ name: String) -> String {
        #"{ "people": [ { "id": "\#(id)", "name": "\#(name)", "email": "\#(id)@x.example", "story": "s" } ] }"#
    }

    private func put(_ text: String, _ file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    private func people(_ paths: [String]) throws -> [String] {
        let worlds = try FixtureCheck.load(FixtureFiles.load(paths))
        return try #require(try worlds.world(Worlds.defaultName)).people.all().map(\.name)
    }

    @Test func `a folder stands for its files in alphabetical order, without the schema`() throws {
        try withFolder { folder in
            for name in ["b.json", "a.json", "schema.json", "notes.txt", ".hidden.json"] {
                try put("{}", folder + "/" + name)
            }

            #expect(try FixtureFiles.files(at: folder) == [folder + "/a.json", folder + "/b.json"])
        }
    }

    @Test func `later files add to earlier ones and replace what has the same id`() throws {
        try withFolder { folder in
            try put(person("kim", "First"), folder + "/a.json")
            try put(person("kim", "Second"), folder + "/b.json")
            try put(person("lee", "Third"), folder + "/c.json")

            #expect(
                try people([folder + "/a.json", folder + "/b.json", folder + "/c.json"]) == [
                    "Second", "Third",
                ])
            #expect(try people([folder]) == ["Second", "Third"])
        }
    }

    @Test func `the built-in people are there only when nothing or they are asked for`() throws {
        try withFolder { folder in
            try put(person("kim", "Kim"), folder + "/a.json")

            #expect(try people([folder + "/a.json"]) == ["Kim"])
            #expect(try people(["default", folder + "/a.json"]).contains("Kim"))
            #expect(try people(["default", folder + "/a.json"]).count == people([]).count + 1)
        }
    }

    @Test func `what cannot be read is named`() throws {
        #expect(throws: Failure("/nonesuch.json: no such file or folder")) {
            try FixtureFiles.load(["/nonesuch.json"])
        }
        try withFolder { folder in
            #expect(throws: Failure("\(folder): the folder holds no .json file")) {
                try FixtureFiles.load([folder])
            }
        }
    }

    @Test func `check reads all files and says where each is wrong`() throws {
        try withFolder { folder in
            try put("{\n  \"people\": 7\n}", folder + "/a.json")
            try put(person("kim", "Kim"), folder + "/b.json")
            try put("{\n  \"poeple\": []\n}", folder + "/c.json")
            let (status, out, error) = understudy(
                "fixtures", "check", folder + "/a.json", folder + "/b.json", folder + "/c.json", "/none.json")

            #expect(status == 1)
            #expect(out == "\(folder)/b.json: fine\n")
            let lines = error.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0].hasPrefix("\(folder)/a.json:2:13: people: expected"))
            #expect(lines[1].hasPrefix("\(folder)/c.json:2:3: poeple: unknown section"))
            #expect(lines[2] == "/none.json: no such file or folder")
        }
    }

    @Test func `init writes a file that check takes, and overwrites none`() throws {
        try withFolder { folder in
            let file = folder + "/team.json"
            #expect(understudy("fixtures", "init", file).status == 0)
            #expect(understudy("fixtures", "check", file).status == 0)
            try put("mine", file)

            let again = understudy("fixtures", "init", file)

            #expect(again.status == 1)
            #expect(
                again.error == "understudy: \(file) exists already; name another file, or remove it first\n")
            #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
        }
    }
}
