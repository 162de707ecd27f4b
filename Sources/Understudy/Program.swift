import PlatformKit

/// The program: finds the command, runs it, and says what went wrong.
///
/// Exit status: 0 fine, 1 it failed, 2 wrong usage; `exec` ends with the status of its command.
enum Program {
    /// - Parameter arguments: without the program's own name.
    static func run(_ arguments: [String], _ terminal: Terminal) -> Int32 {
        var usage = "understudy [COMMAND] [options]"
        do {
            let (command, rest) = try command(in: arguments)
            usage = command.usage
            let invocation = try ArgumentParser(command: command, environment: terminal.environment).parse(
                rest)
            if command.name == Commands.serve.name { warnOfUnknownSettings(terminal) }
            return try command.run(invocation, terminal)
        } catch let wanted as HelpWanted {
            terminal.write(Help(commands: Commands.all, terminal: terminal).describe(wanted.command))
            return 0
        } catch let error as UsageError {
            terminal.complain("understudy: \(error.message)")
            terminal.complain("usage: \(usage)")
            return 2
        } catch let failure as Failure {
            terminal.complain("understudy: \(failure.message)")
            return failure.status
        } catch {
            terminal.complain("understudy: \(error.sentence)")
            return 1
        }
    }

    /// - Throws: ``UsageError`` that suggests the nearest command.
    static func command(named name: String) throws -> Command {
        if let command = Commands.named(name) { return command }
        let meant = Suggestion.nearest(to: name, among: Commands.all.map(\.name)).map {
            "; did you mean \($0)?"
        }
        throw UsageError("there is no command “\(name)”" + (meant ?? "; see understudy help"))
    }

    /// The command and what belongs to it. Options without a command are for `serve`.
    private static func command(in arguments: [String]) throws -> (Command, [String]) {
        guard let first = arguments.first else { return (Commands.serve, []) }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "--help", "-h": return (Commands.help, rest)
        case "--version", "-v", "-V": return (Commands.version, [])
        case _ where first.hasPrefix("-"): return (Commands.serve, arguments)
        default: return (try command(named: first), rest)
        }
    }

    /// A variable that is nearly the name of a setting is a slip that would otherwise go unseen.
    static func warnOfUnknownSettings(_ terminal: Terminal) {
        let ours = terminal.environment.keys.filter { $0.hasPrefix(Option.environmentPrefix) }
        if ours.isEmpty { return }
        let known = Set(Commands.all.flatMap { $0.options.map(\.environmentName) })
        for name in ours.sorted() where !known.contains(name) {
            guard let meant = Suggestion.nearest(to: name, among: known.sorted()) else { continue }
            terminal.complain("understudy: \(name) is not a setting; did you mean \(meant)?")
        }
    }
}

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
