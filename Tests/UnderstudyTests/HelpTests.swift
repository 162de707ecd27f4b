import Testing

@testable import Understudy

@Suite struct HelpTests {
    @Test func `the overview names every command`() {
        let (status, out, error) = understudy("--help")

        #expect(status == 0)
        #expect(error.isEmpty)
        for name in [
            "serve", "ready", "exec", "code", "outbox", "otp", "world", "clock", "fixtures", "version",
            "help",
        ] {
            #expect(out.contains("\n  \(name) "), "\(name)")
        }
    }

    @Test(arguments: Commands.all.map(\.name))
    func `help for a command shows its usage, every option and every twin`(_ name: String) throws {
        let command = try #require(Commands.named(name))
        let (status, out, _) = understudy("help", name)
        let same = understudy(name, "--help")

        #expect(status == 0)
        #expect(out == same.out)
        #expect(out.contains("usage: understudy \(name)"))
        for option in command.options {
            #expect(out.contains("--" + option.name))
            #expect(out.contains(option.environmentName))
        }
    }

    @Test func `the settings as Markdown have one row for each option of serve`() {
        let lines = understudy("help", "--markdown").out.split(separator: "\n")

        #expect(lines.count == Commands.serve.options.count + 2)
        #expect(lines.contains { $0.hasPrefix("| `--port PORT` | `UNDERSTUDY_PORT` | 8420 |") })
        // Four cells: a bar in a cell would make five.
        for line in lines { #expect(line.replacing("\\|", with: "").filter { $0 == "|" }.count == 5) }
    }

    @Test func `an unknown command is a wrong usage, with the nearest one named`() {
        let (status, out, error) = understudy("sevre")

        #expect(status == 2)
        #expect(out.isEmpty)
        #expect(
            error == """
                understudy: there is no command “sevre”; did you mean serve?
                usage: understudy [COMMAND] [options]

                """)
    }

    @Test func `an unknown option is a wrong usage, with the nearest one named`() {
        let (status, _, error) = understudy("code", "--wiat", "3s", "ada@example.com")

        #expect(status == 2)
        #expect(
            error == """
                understudy: code has no option --wiat; did you mean --wait?
                usage: understudy code [options] TO

                """)
    }

    @Test func `options without a command are those of serve`() {
        #expect(understudy("--tls", "none").error.contains("usage: understudy serve"))
    }

    @Test(arguments: ["version", "--version"])
    func `the version is one line`(_ argument: String) throws {
        let (status, out, _) = understudy(argument)

        #expect(status == 0)
        #expect(
            try out.wholeMatch(
                of: Regex(#"understudy 0\.1\.0 \(commit ([0-9a-f]{12}|unknown), swift 6\.[^)]*\)\n"#)) != nil)
        #expect(out.filter { $0 == "\n" }.count == 1)
    }

    @Test func `the version's parts are told as JSON`() throws {
        let (status, out, _) = understudy("version", "--json")

        #expect(status == 0)
        #expect(out.hasPrefix(#"{"commit":""#) && out.hasSuffix(#","version":"0.1.0"}"# + "\n"))
    }

    // no-color.org: present and not an empty string, regardless of its value.
    @Test func `colours are for terminals, and never with NO_COLOR`() {
        #expect(Terminal.wantsColour(isTerminal: true, environment: ["TERM": "xterm"]))
        #expect(Terminal.wantsColour(isTerminal: true, environment: ["NO_COLOR": ""]))
        #expect(!Terminal.wantsColour(isTerminal: true, environment: ["NO_COLOR": "0"]))
        #expect(!Terminal.wantsColour(isTerminal: true, environment: ["TERM": "dumb"]))
        #expect(!Terminal.wantsColour(isTerminal: false, environment: [:]))
    }
}
