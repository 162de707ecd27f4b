import Essentials
import HTTP
import SQLite

extension PlatformResponder {
    /// What the world's faults do to a request; nil in a world without, and for what browsers ask of their own accord.
    func strikes<P: Platform>(_: P.Type, _ request: Request, in world: World) throws -> FaultStrikes? {
        guard !world.core.faults.isEmpty, request.fault == nil, !CrossOriginPolicy.isPreflight(request) else {
            return nil
        }
        let (mount, path) = Self.parted(request.path, P.self)
        return try world.strikes(at: request.method.rawValue, path, of: [P.name, mount]) {
            try world.ask(P.self, (any NamesCallers).self)?.callers(in: request) ?? RequestNames(request)
        }
    }

    /// The platform's mount, and the path below it as routes spell it; the platform's name where it answers at the root of the server.
    private static func parted<P: Platform>(_ path: String, _: P.Type) -> (mount: String, path: String) {
        let first = String(path.dropFirst().prefix { $0 != "/" })
        guard P.mountPaths.contains(first) else { return (P.name, path) }
        let rest = path.dropFirst(1 + first.count)
        return (first, rest.isEmpty ? "/" : String(rest))
    }
}

extension Response {
    /// An answer that is there, and leaves after so many seconds. It holds no thread.
    static func late(by seconds: Double, _ answer: @escaping @Sendable () -> Response) -> Response {
        .waiting(
            Wait(
                seconds: seconds, ask: { .nothing(untilNext: .infinity) }, giveUp: answer, listen: { _ in {} }
            ))
    }
}
