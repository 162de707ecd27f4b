/// `help [COMMAND]`.
enum HelpCommand {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        if invocation.flag(.markdown) {
            terminal.write(Help.markdown(Commands.serve))
            return 0
        }
        let help = Help(commands: Commands.all, terminal: terminal)
        guard let name = invocation.operands.first else {
            terminal.write(help.overview())
            return 0
        }
        terminal.write(help.describe(try Program.command(named: name)))
        return 0
    }
}
