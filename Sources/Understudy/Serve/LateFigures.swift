import Console
import HTTPServer
import Synchronization

/// The figures of a server that is made after its console.
final class LateFigures: Sendable {
    private let server = Mutex<HTTPServer?>(nil)

    func set(_ server: HTTPServer) { self.server.withLock { $0 = server } }

    var now: ProgramFigures {
        var figures = ProgramFigures()
        guard let own = server.withLock({ $0 })?.figures else { return figures }
        (figures.connections, figures.waiting) = (own.connections, own.waiting)
        (figures.threads, figures.heldBytes) = (own.threads, own.heldBytes)
        figures.residentBytes = ResidentMemory.bytes
        return figures
    }
}
