Process.exit(Program.run(Array(CommandLine.arguments.dropFirst()), .standard))
