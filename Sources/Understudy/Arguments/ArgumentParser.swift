import Essentials
import PlatformKit

/// Reads the arguments of one command against its table of options, and the environment for what they leave out.
struct ArgumentParser {
    let command: Command
    let environment: [String: String]

    /// - Parameter arguments: what follows the command's name.
    /// - Throws: ``UsageError``; ``HelpWanted``.
    func parse(_ arguments: [String]) throws -> Invocation {
        var given: [String: Invocation.Given] = [:]
        var operands: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            if isOption(argument) {
                try take(argument, &rest, into: &given)
                continue
            }
            operands.append(argument)
            // Everything behind the name of a command to run belongs to that command.
            if command.operands.runsCommand(after: operands.count) {
                operands += rest
                break
            }
        }
        try check(operands)
        for option in command.options where given[option.name] == nil {
            given[option.name] = try fromEnvironment(option)
        }
        return Invocation(command: command, operands: operands, given: given)
    }

    /// `-5m` and `-` are values, not options.
    private func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), let second = argument.dropFirst().first else { return false }
        return !second.isNumber
    }

    private func take(
        _ argument: String, _ rest: inout ArraySlice<String>, into given: inout [String: Invocation.Given]
    ) throws {
        if argument == "--help" || argument == "-h" { throw HelpWanted(command: command) }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = try option(named: String(parts[0]))
        let source = "--" + option.name
        var values = given[option.name]?.values ?? []
        if option.isFlag {
            guard parts.count == 1 else { throw UsageError("\(source) takes no value") }
        } else if parts.count == 2 {
            values.append(String(parts[1]))
        } else {
            guard let value = rest.popFirst(), !value.hasPrefix("--") else { throw valueless(option) }
            values.append(value)
        }
        // An empty folder or address is a variable that a script left unset.
        if !option.isFlag, values.last == "" { throw valueless(option) }
        given[option.name] = Invocation.Given(values: values, source: source)
    }

    private func option(named text: String) throws -> Option {
        let found = command.options.first { option in
            text == "--" + option.name || option.short.map { text == "-\($0)" } ?? false
        }
        if let found { return found }
        let names = command.options.map { "--" + $0.name } + ["--help"]
        let meant = Suggestion.nearest(to: text, among: names).map { "; did you mean \($0)?" }
        throw UsageError("\(command.name) has no option \(text)" + (meant ?? ""))
    }

    private func check(_ operands: [String]) throws {
        switch command.operands {
        case .none where !operands.isEmpty: throw surplus(operands[0])
        case .one(let name) where operands.isEmpty: throw missing(name)
        case .one where operands.count > 1: throw surplus(operands[1])
        case .optional where operands.count > 1: throw surplus(operands[1])
        case .many(let name) where operands.isEmpty: throw missing(name)
        case .pair(let name, _) where operands.isEmpty: throw missing(name)
        case .pair where operands.count > 2: throw surplus(operands[2])
        case .command where operands.isEmpty: throw missing("-- COMMAND")
        case .fileAndCommand(let file) where operands.isEmpty: throw missing(file)
        case .fileAndCommand where operands.count < 2: throw missing("-- COMMAND")
        default: break
        }
    }

    private func valueless(_ option: Option) -> UsageError {
        UsageError("--\(option.name) needs a value: \(option.usage)")
    }

    private func surplus(_ operand: String) -> UsageError {
        UsageError("\(command.name) takes no argument “\(operand)”")
    }

    private func missing(_ name: String) -> UsageError { UsageError("\(command.name) needs \(name)") }

    private func fromEnvironment(_ option: Option) throws -> Invocation.Given? {
        let name = option.environmentName
        guard let text = environment[name], !text.isEmpty else { return nil }
        switch option.shape {
        case .flag:
            return try isTrue(text, name) ? Invocation.Given(values: [], source: name) : nil
        case .one:
            // Kubernetes sets NAME_PORT=tcp://… in every container beside a service called NAME.
            return text.hasPrefix("tcp://") ? nil : Invocation.Given(values: [text], source: name)
        case .many(let separator):
            return Invocation.Given(values: text.split(separator: separator).map(String.init), source: name)
        }
    }

    private func isTrue(_ text: String, _ name: String) throws -> Bool {
        switch text.asciiLowercased {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default: throw UsageError("\(name) expects true or false, not “\(text)”")
        }
    }
}

/// `--help` stands among the options: nothing else matters then.
struct HelpWanted: Error {
    let command: Command
}
