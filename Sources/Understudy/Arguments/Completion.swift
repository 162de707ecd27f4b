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
                        first='\(command.firstWords.joined(separator: " "))'
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
                case $command in
            \(cases.joined())    *) return ;;
                esac
                case $cur in
                -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
                *) [ "$COMP_CWORD" != 2 ] || COMPREPLY=($(compgen -W "$first" -- "$cur")) ;;
                esac
            }
            complete -o default -F _understudy understudy

            """
    }

    /// What to offer for the values of a command's options.
    private func bashValues(_ command: Command) -> [String] {
        command.options.filter { !$0.isFlag }.map { option in
            let pattern = "\(command.name):--\(option.name)"
            let choices = option.choices.joined(separator: " ")
            let offer = choices.isEmpty ? "" : " COMPREPLY=($(compgen -W '\(choices)' -- \"$cur\"));"
            return "    \(pattern))\(offer) return ;;\n"
        }
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
            if [[ ${funcstack[1]} = _understudy ]]; then
                _understudy "$@"
            else
                compdef _understudy understudy
            fi

            """
    }

    private func zshCase(_ command: Command) -> String {
        var lines = command.options.map(zshOption) + [quoted("--help[describe the command]")]
        if !command.firstWords.isEmpty {
            lines.append(quoted("1: :(\(command.firstWords.joined(separator: " ")))"))
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
        let offer = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
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
            \(names.joined())\(commands.flatMap(fishLines).joined())
            """
    }

    private func fishLines(_ command: Command) -> [String] {
        let begin = "complete -c understudy -n '__understudy_is \(command.name)"
        let first = command.firstWords.joined(separator: " ")
        let words =
            first.isEmpty ? [] : ["\(begin); and __understudy_has 2' -f -a \(fishQuoted(first))\n"]
        return words
            + command.options.map { option in
                let value =
                    option.isFlag
                    ? ""
                    : option.choices.isEmpty
                        ? " -r" : " -x -a \(fishQuoted(option.choices.joined(separator: " ")))"
                return "\(begin)' -l \(option.name)\(value) -d \(fishQuoted(option.help))\n"
            }
    }

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
        case Commands.completion.name: return Completion.Shell.allCases.map(\.rawValue)
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
        let name = invocation.operands.first ?? ""
        guard let shell = Completion.Shell(rawValue: name) else {
            let known = Completion.Shell.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("completion supports \(known), not “\(name)”")
        }
        terminal.write(Completion(commands: Commands.all).script(for: shell))
        return 0
    }
}

extension Commands {
    static let completion = Command(
        name: "completion", summary: "print a shell script that completes commands and options",
        operands: .one("SHELL"),
        discussion: ["SHELL is bash, zsh or fish."],
        examples: [
            ("completion bash > ~/.local/share/bash-completion/completions/understudy", "for bash"),
            ("completion zsh > ~/.zfunc/_understudy", "for zsh, in a folder of its $fpath"),
            ("completion fish > ~/.config/fish/completions/understudy.fish", "for fish"),
        ],
        run: CompletionCommand.run)
}
