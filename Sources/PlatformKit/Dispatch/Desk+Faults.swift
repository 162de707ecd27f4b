import Essentials
import HTTP
import SQLite

extension Desk {
    /// What the world's faults do to a request; nil in a world without, and for what browsers ask of their own accord.
    func strikes<P: Platform>(_: P.Type, _ request: Request, in world: World) throws -> FaultStrikes? {
        guard !world.core.faults.isEmpty, request.fault == nil, !CrossOriginPolicy.isPreflight(request) else {
            return nil
        }
        let (mount, path) = Self.parted(request.path, P.self)
        return try FaultStrikes(request.method.rawValue, path, of: [P.name, mount], in: world) {
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

extension Services {
    /// These services for a request that faults are about.
    func struck(by strikes: FaultStrikes, in core: WorldCore) -> Services {
        let (clock, skew) = (self.clock, strikes.skew)
        let outbox = Outbox { message in
            let strike = strikes.strike(on: message)
            let letters = try core.database.write {
                try core.insert(message, strike, at: clock.now(), in: $0)
            }
            for letter in letters { core.announce(letter) }
            if strike?.delivery.fate == .late { core.deliverLateMessages() }
        }
        return replacing(
            clock: skew == 0
                ? nil
                : WallClock(
                    now: { clock.now().addingTimeInterval(-skew) },
                    issuingTime: { clock.issuingTime().addingTimeInterval(-skew) }),
            outbox: outbox, callbacks: callbacks.struck(by: strikes), tokenChanges: strikes.tokenChanges)
    }
}
