import PlatformKit

/// `serve`: starts, says where, and runs until a signal ends it.
enum Serve {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let invocation = try invocation.completed()
        let settings = try ServeSettings(invocation)
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
}
