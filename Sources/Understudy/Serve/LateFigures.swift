import Console
import HTTPServer
import Synchronization

/// The figures of a server that is made after its console, which the server holds: held in turn, neither would ever end, and files of
/// worlds would stay open.
final class LateFigures: Sendable {
    private struct Late {
        weak var server: HTTPServer?
    }

    private let late = Mutex(Late())

    func set(_ server: HTTPServer) { late.withLock { $0.server = server } }

    var now: ProgramFigures {
        var figures = ProgramFigures()
        guard let own = late.withLock({ $0.server })?.figures else { return figures }
        (figures.connections, figures.waiting) = (own.connections, own.waiting)
        (figures.threads, figures.heldBytes) = (own.threads, own.heldBytes)
        figures.residentBytes = ResidentMemory.bytes
        return figures
    }
}
