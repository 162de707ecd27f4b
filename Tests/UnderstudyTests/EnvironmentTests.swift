import Testing

@testable import Understudy

@Suite struct EnvironmentTests {
    private func serve(_ environment: [String: String], _ arguments: String...) throws -> Invocation {
        try ArgumentParser(command: Commands.serve, environment: environment).parse(arguments)
    }

    @Test func `every setting has a twin in the environment`() throws {
        let given = try serve([
            "UNDERSTUDY_PORT": "9000", "UNDERSTUDY_PUBLIC_URL": "https://a.example", "UNDERSTUDY_QUIET": "1",
        ])

        #expect(given.text(.port) == "9000")
        #expect(given.text(.publicURL) == "https://a.example")
        #expect(given.flag(.quiet))
    }

    @Test func `the command line wins over the environment`() throws {
        let given = try serve(
            ["UNDERSTUDY_PORT": "1", "UNDERSTUDY_FIXTURES": "a.json"], "--port", "2", "--fixtures", "b")

        #expect(given.text(.port) == "2")
        #expect(given.texts(.fixtures) == ["b"])
    }

    @Test func `lists are separated as paths are, and names by commas`() throws {
        let given = try serve([
            "UNDERSTUDY_FIXTURES": "default:team.json", "UNDERSTUDY_ALLOW_HOST": "a.example,b.example",
        ])

        #expect(given.texts(.fixtures) == ["default", "team.json"])
        #expect(given.texts(.allowHost) == ["a.example", "b.example"])
    }

    @Test(arguments: ["0", "false", "no", "off", "OFF", ""])
    func `a flag can be switched off`(_ value: String) throws {
        #expect(try !serve(["UNDERSTUDY_QUIET": value]).flag(.quiet))
    }

    @Test func `a flag that is neither on nor off is refused by its name`() throws {
        #expect(throws: UsageError("UNDERSTUDY_QUIET expects true or false, not “maybe”")) {
            try serve(["UNDERSTUDY_QUIET": "maybe"])
        }
    }

    @Test func `a wrong value is refused by the name under which it came`() throws {
        let (status, _, error) = understudy("serve", environment: ["UNDERSTUDY_PORT": "x"])

        #expect(status == 2)
        #expect(
            error.hasPrefix("understudy: UNDERSTUDY_PORT expects a whole number from 0 to 65535, not “x”\n")
        )
    }

    // Kubernetes documentation, “Accessing the Service”, environment variables: {SVCNAME}_PORT=tcp://10.0.0.11:6379.
    @Test func `the variable that Kubernetes makes for a service of our name is not taken for the port`()
        throws
    {
        #expect(try serve(["UNDERSTUDY_PORT": "tcp://10.0.0.11:8420"]).text(.port) == nil)
    }

    @Test func `no two options of one command, and no two that mean different things, share a twin`() {
        var meanings: [String: String] = [:]
        for command in Commands.all {
            #expect(Set(command.options.map(\.environmentName)).count == command.options.count)
            for option in command.options where option.name != "control-token" {
                let known = meanings.updateValue(option.help, forKey: option.environmentName)
                #expect(known == nil || known == option.help, "\(option.environmentName)")
            }
        }
    }

    @Test func `a slip in the name of a setting is noticed, a stranger's variable is not`() {
        let recorder = Recorder([
            "UNDERSTUDY_PROT": "1", "UNDERSTUDY_HANKO_URL": "x", "UNDERSTUDY_SERVICE_HOST": "y",
        ])
        Program.warnOfUnknownSettings(recorder.terminal)

        #expect(
            recorder.error == "understudy: UNDERSTUDY_PROT is not a setting; did you mean UNDERSTUDY_PORT?\n")
    }
}
