import Console
import HTTP
import Mail
import PlatformKit
import SQLite
import Sockets

/// What the program allows itself of the memory that the system allows it. What the program takes before anybody has asked for anything is set
/// aside first; of what is left, three quarters are bounded here, and the last is for threads, connections and what handlers make for a moment.
struct MemoryPlan: Equatable {
    /// Bytes of bodies and mails on their way and while they are handled, and of answers that wait to be read: a quarter of all, at most a third
    /// of what is left.
    let bodies: Int
    /// Bytes of the journals of all worlds: an eighth of what is left.
    let journals: Int
    /// Bytes of the messages of all worlds in memory, which are part of ``pages``: an eighth.
    let outboxes: Int
    /// Bytes of what worlds in memory and their snapshots have changed, their outboxes included: five sixteenths. Nil without a limit.
    let pages: Int?
    /// Open connections, each with up to 32 KiB beside its bodies where it speaks TLS: an eighth.
    let connections: Int
    let worlds: Int
    /// Threads that handlers may hold while they wait for another server.
    let threads: Int
    /// Threads whose handlers are at work, each with what it makes for a moment: one for 16 MiB of what is left.
    let busyThreads: Int
    /// Requests at once that wait for the service behind a mount.
    let upstreamRequests: Int
    /// Bytes of the answers of such services while they are held: half of ``bodies``, which they share with nobody.
    let upstreamBytes: Int
    /// Bytes of one mail.
    let mail: Int
    /// Bytes of one mail times its recipients.
    let mailCopies: Int

    /// As if there were so much, where there is no limit.
    private static let nominal = 1 << 30
    /// What a server takes that has loaded its fixtures and shown every page once. Source: `VmData` and `VmRSS` of such a process.
    static let program = 28 << 20
    /// Whatever the limit, so much is planned with; a program below ``program`` does not get far.
    private static let fewest = 4 << 20

    /// - Parameters:
    ///   - limit: bytes; nil without one.
    ///   - bodies: where the user has said so.
    init(limit: Int?, bodies chosen: Int? = nil) {
        let memory = min(limit ?? Self.nominal, Self.nominal)
        let left = limit == nil ? memory : max(Self.fewest, memory - Self.program)
        bodies = chosen ?? min(memory / 4, left / 3)
        journals = left / 8
        outboxes = left / 8
        pages = limit.map { _ in left / 16 * 5 }
        connections = min(4096, max(64, (left / 8) >> 15))
        worlds = limit == nil ? 20_000 : min(20_000, max(100, left >> 15))
        // Each has a stack of a mebibyte, of which it uses little.
        threads = limit == nil ? 1088 : min(1088, max(8, left >> 22))
        busyThreads = limit == nil ? threads : max(4, left >> 24)
        upstreamRequests = min(64, threads)
        upstreamBytes = min(64 << 20, bodies / 2)
        mail = min(10 << 20, bodies / 8)
        mailCopies = min(64 << 20, outboxes / 2)
    }

    func apply(to limits: inout Limits) {
        (limits.bodyMemory, limits.connections) = (bodies, connections)
        (limits.handlerThreads, limits.busyThreads) = (threads, busyThreads)
    }

    func apply(to limits: inout MailLimits) {
        (limits.messageBytes, limits.copiesBytes) = (mail, mailCopies)
        limits.connections = min(limits.connections, connections)
    }

    func apply(to settings: inout Worlds.Settings) {
        settings.worldLimit = worlds
        settings.upstreams = UpstreamSettings(most: upstreamRequests, heldBytes: upstreamBytes)
        settings.journals = KeptBudget(most: journals)
        settings.outboxes = KeptBudget(most: outboxes)
    }
}

extension WorkMemory {
    /// What all clients share.
    init(_ memory: MemoryBudget) {
        self.init(
            most: memory.most,
            reserve: { bytes in
                var booked = 0
                return memory.book(bytes, inPlaceOf: &booked)
            },
            giveBack: { bytes in
                var booked = bytes
                // Less than before is always there.
                _ = memory.book(0, inPlaceOf: &booked)
            })
    }
}
