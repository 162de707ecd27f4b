import PlatformKit
import Testing

@testable import Understudy

struct ConfigFileTests {
    private func file(_ text: String) throws -> ConfigFile {
        try ConfigFile("team.json", Array(text.utf8), for: Commands.serve)
    }

    @Test func `options are what they are on the command line`() throws {
        let given = try file(
            """
            { // A comment, and commas at the ends.
              "$serve": {"port": 9000, "explain": true, "quiet": false, "fixtures": ["default", "a.json"], "host": "::1",},
            }
            """
        ).given
        #expect(given["port"]?.values == ["9000"])
        #expect(given["explain"]?.values == [])
        #expect(given["quiet"] == nil)
        #expect(given["fixtures"]?.values == ["default", "a.json"])
        #expect(given["host"]?.values == ["::1"])
    }

    @Test func `fixtures beside the options are laid over the built-in cast`() throws {
        #expect(try file(#"{"people": []}"#).given["fixtures"]?.values == ["default", "team.json"])
        #expect(try file(#"{"$serve": {"seed": 1}, "$schema": "s"}"#).given["fixtures"] == nil)
    }

    @Test(arguments: [
        (#"{"$serve": {"prot": 1}}"#, "team.json: $serve.prot is not an option of serve; did you mean port?"),
        (
            #"{"$serve": {"config": "x"}}"#,
            "team.json: $serve.config is not an option of serve; see understudy help serve"
        ),
        (#"{"$serve": {"explain": 1}}"#, "team.json: $serve.explain must be true or false"),
        (#"{"$serve": {"port": [1]}}"#, "team.json: $serve.port must be a text or a number: --port PORT"),
        (#"{"$serve": {"port": ""}}"#, "team.json: $serve.port must be a text or a number: --port PORT"),
        (#"{"$serve": 1}"#, "team.json: $serve must be an object with options of understudy serve"),
    ])
    func `what is no option or no value of one is told with its place`(text: String, sentence: String) throws
    {
        #expect(throws: UsageError(sentence)) { try file(text) }
    }

    @Test func `what is no JSON is told with line and column`() throws {
        let error = #expect(throws: FixtureError.self) { try file("{\n  \"$serve\": }") }
        #expect(error?.line == 2)
        #expect(error?.column == 13)
    }

    private func openings(_ options: String, _ arguments: String...) throws -> [String] {
        let given = try ArgumentParser(command: Commands.serve, environment: [:]).parse(arguments)
        let file = try ConfigFile("team.json", Array("{\"$serve\": {\(options)}}".utf8), for: Commands.serve)
        return try ServeSettings(given.completed(by: file)).openings
    }

    @Test func `what a file opens is told, and what somebody gave himself is not`() throws {
        #expect(try openings(#""port": 9000, "quiet": true, "control-token": "known-to-all""#) == [])
        #expect(
            try openings(#""host": "0.0.0.0", "control-token": "known-to-all", "quiet": true"#)
                == ["--host 0.0.0.0", "--control-token"])
        #expect(try openings(#""lan": true, "explain": true"#) == ["--lan", "--explain"])
        #expect(
            try openings(#""allow-host": ["evil.example", "b.example"], "smtp-relay": "evil.example:25""#)
                == ["--allow-host evil.example,b.example", "--smtp-relay evil.example:25"])
        #expect(try openings(#""host": "0.0.0.0""#, "--host", "localhost") == [])
        #expect(try openings(#""control-token": "known-to-all""#, "--host", "0.0.0.0") == ["--control-token"])
    }
}
