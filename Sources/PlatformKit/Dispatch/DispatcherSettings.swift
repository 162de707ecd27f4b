package import HTTP

/// What `serve` was told about addresses, pages and reports.
package struct DispatcherSettings: Sendable {
    /// Scheme and authority, and perhaps a path, of the URLs that we hand out to people and browsers, when the client's own
    /// `Host` shall not decide.
    package var publicURL: String?
    /// How the server calls itself by its address, whatever the client speaks: `http` wherever that is taken, since the
    /// certificate may be for names alone. Nil: under the name that the client used.
    package var ownScheme: String? = "http"
    /// Whether back ends are told to call us there as well.
    package var fixesBackChannel = false
    package var hosts = HostRule()
    /// Where the server listens, besides its main port.
    package var doors = ListeningPorts()
    /// Numeric addresses whose `Forwarded` and `X-Forwarded-*` headers are believed, besides loopback.
    package var trustedProxies: Set<String> = []
    /// What those have to know who look in from outside of the platforms.
    package var controlToken = ControlToken.none
    /// Whether every refusal carries its explanation; else those do whose request asks for it.
    package var explains = false
    /// Where a bug of ours is told, besides the journal: one line without its end.
    package var report: @Sendable (String) -> Void = { _ in }
    /// What rows of long lists are held in while a request is answered.
    package var work = WorkMemory.unlimited
    /// Counts what is answered.
    package var counts = RequestCounts()
    /// The page for a browser that asks for a path which nobody has; nil for a client that wants no page.
    package var lostPage: @Sendable (Request, World) -> Response? = { _, _ in nil }
    /// The same for a world that does not exist, with the name that was asked for.
    package var worldlessPage: @Sendable (Request, String) -> Response? = { _, _ in nil }
    /// The page for a browser that is refused outside of the platforms, with status and sentence, in a world where one is known; nil for a
    /// client that wants no page.
    package var problemPage: @Sendable (Request, World?, Status, String) -> Response? = { _, _, _, _ in nil }

    package init() {}
}
