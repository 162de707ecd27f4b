import Testing

@testable import Understudy

@Suite struct ArgumentParserTests {
    private func parse(
        _ command: Command, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Invocation {
        try ArgumentParser(command: command, environment: environment).parse(arguments)
    }

    @Test func `an option takes its value from the next argument or from behind an equals sign`() throws {
        let apart = try parse(Commands.serve, "--port", "9000")
        let together = try parse(Commands.serve, "--port=9000")

        #expect(apart.text(.port) == "9000")
        #expect(together.text(.port) == "9000")
    }

    @Test func `a value with an equals sign stays whole`() throws {
        let given = try parse(Commands.serve, "--public-url=http://a=b")

        #expect(given.text(.publicURL) == "http://a=b")
    }

    @Test func `the last value of an option counts, and a repeatable one keeps all`() throws {
        let given = try parse(
            Commands.serve, "--port", "1", "--port", "2", "--fixtures", "a.json", "--fixtures=b.json")

        #expect(given.text(.port) == "2")
        #expect(given.texts(.fixtures) == ["a.json", "b.json"])
    }

    @Test func `a letter stands for the option that has it`() throws {
        #expect(try parse(Commands.fixtures, "export", "-o", "x.json").text(.output) == "x.json")
    }

    @Test func `a negative number is a value`() throws {
        #expect(try parse(Commands.clock, "advance", "-5m").operands == ["advance", "-5m"])
        #expect(try parse(Commands.serve, "--seed", "-1").text(.seed) == "-1")
    }

    @Test func `what follows two dashes, or the command's name, belongs to the command of exec`() throws {
        let dashed = try parse(Commands.exec, "--port", "0", "--", "npm", "--port", "1")
        let bare = try parse(Commands.exec, "--port", "0", "npm", "--help", "--", "x")

        #expect(dashed.operands == ["npm", "--port", "1"])
        #expect(bare.operands == ["npm", "--help", "--", "x"])
        #expect(dashed.text(.port) == "0")
    }

    @Test func `help is wanted wherever it stands among the options`() throws {
        #expect(throws: HelpWanted.self) { try parse(Commands.serve, "--port", "1", "--help") }
        #expect(throws: HelpWanted.self) { try parse(Commands.code, "-h") }
    }

    @Test(arguments: [
        (["--prot", "1"], "serve has no option --prot; did you mean --port?"),
        (["--utterly-wrong"], "serve has no option --utterly-wrong"),
        (["--port"], "--port needs a value: --port PORT"),
        (["--port", "--quiet"], "--port needs a value: --port PORT"),
        (["--data="], "--data needs a value: --data DIR"),
        (["--data", ""], "--data needs a value: --data DIR"),
        (["--quiet=yes"], "--quiet takes no value"),
        (["now"], "serve takes no argument “now”"),
    ])
    func `what serve cannot understand is said in one line`(_ arguments: [String], _ message: String) throws {
        #expect(throws: UsageError(message)) {
            try ArgumentParser(command: Commands.serve, environment: [:]).parse(arguments)
        }
    }

    @Test func `a command says which operand it lacks or does not expect`() throws {
        #expect(throws: UsageError("code needs TO")) { try parse(Commands.code) }
        #expect(throws: UsageError("code takes no argument “b”")) { try parse(Commands.code, "a", "b") }
        #expect(throws: UsageError("exec needs -- COMMAND")) { try parse(Commands.exec, "--") }
    }

    @Test func `an action is the one named, or else the first`() throws {
        #expect(try parse(Commands.clock).action().name == "show")
        let action = try parse(Commands.clock, "advance", "5m").action()
        #expect(action.name == "advance")
        #expect(action.arguments == ["5m"])
    }

    @Test(arguments: [
        (
            Commands.phone, ["list", "--pin", "1234"],
            "phone list takes no --pin, which is for scan, enrol, approve, decline, sign"
        ),
        (
            Commands.fixtures, ["check", "a.json", "--output", "b.json"],
            "fixtures check takes no --output, which is for export, import"
        ),
        (Commands.outbox, ["clear", "--json"], "outbox clear takes no --json, which is for list, show"),
        (Commands.clock, ["show", "--json"], ""),
        (Commands.phone, ["create", "eva", "--owner", "eva"], ""),
    ])
    func `an option of another action is refused`(
        _ command: Command, _ arguments: [String], _ message: String
    ) throws {
        let invocation = try ArgumentParser(command: command, environment: [:]).parse(arguments)
        guard !message.isEmpty else {
            _ = try invocation.action()
            return
        }
        #expect(throws: UsageError(message)) { try invocation.action() }
    }

    @Test func `what the environment gives for another action is not for this one, and no mistake`() throws {
        let invocation = try parse(Commands.phone, "list", environment: ["UNDERSTUDY_PHONE_PIN": "1234"])
        #expect(try invocation.action().name == "list")
    }

    @Test(arguments: Commands.all)
    func `what an action takes is among the options of its command`(_ command: Command) {
        guard case .actions(let actions, _) = command.operands else { return }
        for action in actions {
            for option in action.takes {
                #expect(command.options.contains(option), "\(action.name) \(option.name)")
            }
        }
    }

    @Test(arguments: [
        (Commands.clock, ["advnace", "5m"], "clock has no action “advnace”; did you mean advance?"),
        (Commands.clock, ["set"], "expected: understudy clock set TIME"),
        (Commands.clock, ["freeze", "a", "b"], "expected: understudy clock freeze [TIME]"),
        (Commands.fixtures, [], "fixtures needs one of init, check, export, import, carry"),
        (Commands.fixtures, ["check"], "expected: understudy fixtures check FILE…"),
    ])
    func `an action with wrong arguments shows the right ones`(
        _ command: Command, _ arguments: [String], _ message: String
    ) throws {
        let invocation = try ArgumentParser(command: command, environment: [:]).parse(arguments)
        #expect(throws: UsageError(message)) { try invocation.action() }
    }
}
