import Console

/// Scripts that complete the program's command line in a shell, made from the table of commands.
///
/// Source: Bash Reference Manual §8.6; zshcompsys(1), `_arguments`; fish, complete(1).
struct Completion {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    let commands: [Command]

    func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    // MARK: bash

    /// Where nothing is offered, as for a value of any kind, the shell offers files. Works with bash 3.2.
    private func bash() -> String {
        let cases = commands.map { command in
            let words = command.options.map { "--" + $0.name } + ["--help"]
            return """
                    \(command.name))
                        words='\(words.joined(separator: " "))'
                        first=\(bashFirst(command))
                        ;;

                """
        }
        return """
            # bash completion for understudy: source <(understudy completion bash)
            _understudy() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words first
                COMPREPLY=()
                [ "$prev" != = ] || prev=${COMP_WORDS[COMP_CWORD - 2]}
                case $command in -*) command=serve ;; esac
                if [ "$COMP_CWORD" = 1 ] && [ "$command" != serve ]; then
                    COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$cur"))
                    return
                fi
                case $command:$prev in
            \(commands.flatMap(bashValues).joined())    esac
                [ "$COMP_CWORD" != 3 ] || case $command:$prev in
            \(commands.flatMap(bashArguments).joined())    esac
                case $command in
            \(cases.joined())    *) return ;;
                esac
                case $cur in
                -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
                *) [ "$COMP_CWORD" != 2 ] || COMPREPLY=($(compgen -W "$first" -- "$cur")) ;;
                esac
            }
            # What a running server knows; nothing where none answers at once.
            _understudy_names() {
                understudy completion names "$1" "$COMP_LINE" 2>/dev/null
            }
            # An address is one word.
            COMP_WORDBREAKS=${COMP_WORDBREAKS//@}
            complete -o default -F _understudy understudy

            """
    }

    private func bashFirst(_ command: Command) -> String {
        if let known = command.knownFirst {
            return "$([ \"$COMP_CWORD\" != 2 ] || _understudy_names \(known.rawValue))"
        }
        return "'\(command.firstWords.joined(separator: " "))'"
    }

    /// What to offer for the values of a command's options.
    private func bashValues(_ command: Command) -> [String] {
        command.options.filter { !$0.isFlag }.map { option in
            let pattern = "\(command.name):--\(option.name)"
            if let known = option.known { return bashCase(pattern, known) }
            let choices = option.choices.joined(separator: " ")
            let offer = choices.isEmpty ? "" : " COMPREPLY=($(compgen -W '\(choices)' -- \"$cur\"));"
            return "    \(pattern))\(offer) return ;;\n"
        }
    }

    /// What to offer behind an action.
    private func bashArguments(_ command: Command) -> [String] {
        command.knownArguments.map { bashCase("\(command.name):\($0.action)", $0.names) }
    }

    private func bashCase(_ pattern: String, _ known: KnownNames) -> String {
        "    \(pattern)) COMPREPLY=($(compgen -W \"$(_understudy_names \(known.rawValue))\" -- \"$cur\")); return ;;\n"
    }

    // MARK: zsh

    private func zsh() -> String {
        let names = commands.map { "        " + quoted($0.name + ":" + $0.summary) }.joined(separator: "\n")
        return """
            #compdef understudy
            # zsh completion for understudy: a file _understudy in a folder of $fpath, or source <(understudy completion zsh)
            _understudy() {
                local command=${words[2]}
                local -a names
                names=(
            \(names)
                )
                if (( CURRENT == 2 )) && [[ $command != -* ]]; then
                    _describe -t commands command names
                    return
                fi
                if [[ $command == -* ]]; then
                    command=serve
                else
                    shift words
                    (( CURRENT-- ))
                fi
                case $command in
            \(commands.map(zshCase).joined())    esac
            }
            # What a running server knows; nothing where none answers at once.
            _understudy_names() {
                local -a names
                names=(${(f)"$(understudy completion names $1 "${words[*]}" 2>/dev/null)"})
                compadd -a names
            }
            # The same behind the actions that take such a name.
            _understudy_argument() {
                local kind=$1
                shift
                if (( $@[(Ie)${words[2]}] )); then _understudy_names $kind; else _files; fi
            }
            if [[ ${funcstack[1]} = _understudy ]]; then
                _understudy "$@"
            else
                compdef _understudy understudy
            fi

            """
    }

    private func zshCase(_ command: Command) -> String {
        var lines = command.options.map(zshOption) + [quoted("--help[describe the command]")]
        if let known = command.knownFirst {
            lines.append(quoted("1: : _understudy_names \(known.rawValue)"))
        } else if !command.firstWords.isEmpty {
            lines.append(quoted("1: :(\(command.firstWords.joined(separator: " ")))"))
        }
        let actions = command.knownArguments
        if let kind = actions.first?.names.rawValue {
            let words = actions.map(\.action).joined(separator: " ")
            lines.append(quoted("2: : _understudy_argument \(kind) \(words)"))
        }
        lines.append(quoted("*: :_files"))
        return "    \(command.name))\n        _arguments \\\n"
            + lines.map { "            " + $0 }.joined(separator: " \\\n") + "\n        ;;\n"
    }

    private func zshOption(_ option: Option) -> String {
        var help = ""
        for character in option.help {
            help += "[]:\\".contains(character) ? "\\\(character)" : "\(character)"
        }
        let many = option.isFlag || option.shape == .one ? "" : "*"
        let choices = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
        let offer = option.known.map { " _understudy_names \($0.rawValue)" } ?? choices
        let value = option.isFlag ? "" : ": :\(offer)"
        return quoted("\(many)--\(option.name)[\(help)]\(value)")
    }

    // MARK: fish

    private func fish() -> String {
        let names = commands.map { command in
            "complete -c understudy -f -n '__understudy_has 1' -a \(command.name) -d \(fishQuoted(command.summary))\n"
        }
        return """
            # fish completion for understudy: understudy completion fish | source
            function __understudy_has
                test (count (commandline -opc)) -eq $argv[1]
            end
            function __understudy_is
                set -l words (commandline -opc) (commandline -ct)
                set -l command "$words[2]"
                string match -q -- '-*' "$command"; and set command serve
                test "$command" = $argv[1]
            end
            # What a running server knows; nothing where none answers at once.
            function __understudy_names
                understudy completion names $argv[1] (commandline -p | string collect) 2>/dev/null
            end
            \(names.joined())\(commands.flatMap(fishLines).joined())
            """
    }

    private func fishLines(_ command: Command) -> [String] {
        let begin = "complete -c understudy -n '__understudy_is \(command.name)"
        let first = command.knownFirst.map(fishNames) ?? command.firstWords.joined(separator: " ")
        let words =
            first.isEmpty ? [] : ["\(begin); and __understudy_has 2' -f -a \(fishQuoted(first))\n"]
        let arguments = command.knownArguments.map { action, names in
            "\(begin); and __understudy_has 3; and contains -- \(action) (commandline -opc)' -f -a \(fishQuoted(fishNames(names)))\n"
        }
        return words + arguments
            + command.options.map { option in
                "\(begin)' -l \(option.name)\(fishValue(option)) -d \(fishQuoted(option.help))\n"
            }
    }

    /// What follows an option: a name that a server knows, one of a few words, anything, or nothing.
    private func fishValue(_ option: Option) -> String {
        if option.isFlag { return "" }
        let offer = option.known.map(fishNames) ?? option.choices.joined(separator: " ")
        return offer.isEmpty ? " -r" : " -x -a \(fishQuoted(offer))"
    }

    private func fishNames(_ known: KnownNames) -> String { "(__understudy_names \(known.rawValue))" }

    /// In single quotes, for zsh.
    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    /// In single quotes, in which fish knows two escapes.
    private func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

extension Option {
    /// The words that the value may be, where there are only a few: `text|json`; empty where anything may stand.
    var choices: [String] {
        let words = placeholder.split(separator: "|").map(String.init)
        let known = words.filter { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } }
        return words.count > 1 ? known : []
    }
}

extension Command {
    /// What may stand behind the command's name, where that is known: its actions, shells, other commands.
    fileprivate var firstWords: [String] {
        if case .actions(let actions, _) = operands { return actions.map(\.name) }
        switch name {
        case Commands.helper.name: return HelperCommand.languages
        case Commands.stub.name: return Handouts.stubs.words.compactMap(Handouts.stubs.file)
        case Commands.help.name: return Commands.all.map(\.name)
        default: return []
        }
    }
}

/// `completion SHELL`.
enum CompletionCommand {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (name, arguments) = try invocation.action()
        guard let shell = Completion.Shell(rawValue: name) else {
            return try KnownNames.print(arguments, invocation, terminal)
        }
        terminal.write(Completion(commands: Commands.all).script(for: shell))
        return 0
    }
}

extension Commands {
    static let completion = Command(
        name: "completion", summary: "print a shell script that completes commands and options",
        operands: .actions(
            Completion.Shell.allCases.map {
                .init(name: $0.rawValue, arguments: [], help: "for this shell")
            } + [
                .init(
                    name: "names", arguments: ["KIND", "LINE"], optional: 1,
                    help: "what a running server knows, one name a line, for the command line LINE",
                    takes: Option.client)
            ], hasDefault: false),
        options: Option.client,
        discussion: [
            "The scripts also offer names of the server that is running: worlds, phones, snapshots, faults, users, addresses and",
            "platforms, by --url, --world and --control-token of the line or of the environment. They wait for it at most 200 ms.",
        ],
        examples: [
            ("completion bash > ~/.local/share/bash-completion/completions/understudy", "for bash"),
            ("completion zsh > ~/.zfunc/_understudy", "for zsh, in a folder of its $fpath"),
            ("completion fish > ~/.config/fish/completions/understudy.fish", "for fish"),
        ],
        run: CompletionCommand.run)
}
