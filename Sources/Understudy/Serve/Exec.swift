/// `exec`: a server for as long as one command runs.
enum Exec {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        try serving(invocation, terminal, running: invocation.operands)
    }

    /// - Parameters:
    ///   - isRecording: whether the journal is to have bodies whole.
    ///   - end: called when the command has ended, while the server still answers.
    /// - Returns: the command's exit status.
    static func serving(
        _ invocation: Invocation, _ terminal: Terminal, running command: [String],
        isRecording: Bool = false, end: (Banner) throws -> Void = { _ in }
    ) throws -> Int32 {
        var settings = try ServeSettings(invocation.completed().onFreePorts(besides: invocation))
        settings.isRecording = isRecording
        Signals.command.hold()
        let server = try RunningServer(settings, terminal)
        defer { server.stop() }
        let banner = try Banner(server)
        let environment = terminal.environment.merging(variables(banner)) { $1 }
        let status = wait(for: try ChildProcess(command, environment: environment))
        try end(banner)
        return status
    }

    /// What the command finds in its environment besides our own.
    static func variables(_ banner: Banner) -> [String: String] {
        var variables = [Option.url.environmentName: banner.url]
        for platform in banner.platforms {
            let name = platform.name.uppercased().replacing("-", with: "_")
            variables[Option.environmentPrefix + name + "_URL"] = platform.url
            variables[Option.environmentPrefix + name + "_ROOT_URL"] = platform.rootURL
        }
        if let authority = banner.authority { variables[Option.environmentPrefix + "CA"] = authority }
        if let smtp = banner.smtp { variables[Option.environmentPrefix + "SMTP_URL"] = "smtp://" + smtp }
        if let token = banner.controlToken { variables[Option.controlToken.environmentName] = token }
        return variables
    }

    /// Passes signals on until the command has ended.
    private static func wait(for child: ChildProcess) -> Int32 {
        while true {
            if let status = child.statusIfEnded() { return status }
            let signal = Signals.command.next()
            // The terminal has told the command itself already.
            if !signal.isNewsOfChild, !signal.isFromTerminal { child.send(signal.number) }
        }
    }
}

extension Invocation {
    /// With free ports in the place of all that `own` does not give: a file's are those of `serve`, which may run beside this.
    ///
    /// - Parameter own: what was given before the file was read.
    fileprivate func onFreePorts(besides own: Invocation) -> Invocation {
        var free = given
        if !own.isGiven(.port) { free[Option.port.name] = Given(values: ["0"], source: "--port") }
        if !own.isGiven(.smtpPort), isGiven(.smtpPort) { free[Option.smtpPort.name]?.values = ["0"] }
        if !own.isGiven(.listen) {
            free[Option.listen.name]?.values = texts(.listen).map { text in
                text.contains("=") ? text.prefix { $0 != "=" } + "=0" : text
            }
        }
        return Invocation(command: command, operands: operands, given: free, config: config)
    }
}
