import PlatformKit

/// `serve`: starts, says where, and runs until a signal ends it.
enum Serve {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let invocation = try invocation.completed()
        let settings = try ServeSettings(invocation)
        warnOfUnknownSettings(terminal)
        // Before the first thread: a signal from now on is a clean stop.
        Signals.stop.hold()
        let server = try RunningServer(settings, terminal)
        let banner = try Banner(server)
        if invocation.flag(.json) {
            terminal.write(JSONText.line(banner))
        } else if invocation.flag(.quiet) {
            terminal.write(banner.quietText(isTokenNew: settings.controlToken == nil))
        } else {
            terminal.write(banner.text(terminal))
        }
        _ = Signals.stop.next()
        server.stop()
        return 0
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
