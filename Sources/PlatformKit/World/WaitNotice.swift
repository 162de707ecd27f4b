/// How a handler that calls another server, and waits for it, says so to the server whose thread it holds.
package struct WaitNotice: Sendable {
    package let begin: @Sendable () -> Void
    package let end: @Sendable () -> Void

    package init(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        self.begin = begin
        self.end = end
    }
}
