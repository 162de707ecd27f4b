import Sockets

extension Engine {
    /// Ends what can end, waits for the rest until `deadline`, and closes what is left then.
    func stop(by deadline: Double) {
        let scratch = Scratch()
        context.beginStopping()
        closeAcceptors(scratch)
        while table.count > 0, System.uptime < deadline {
            for connection in table.all {
                serve(connection, connection.step(scratch) { $0.checkStop(System.uptime, scratch) }, scratch)
            }
            emptied.wait(seconds: min(0.05, max(0, deadline - System.uptime)))
        }
        for connection in table.all {
            serve(connection, connection.step(scratch) { .closed($0.takeEnd()) }, scratch)
        }
    }
}
