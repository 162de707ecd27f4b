import HTTP
import Mail
import PlatformKit
import SQLite

/// What the program allows itself of the memory that the system allows it. The sum of what is bounded here is three quarters; the rest is
/// for the program itself, its threads, and what handlers make for a moment.
struct MemoryPlan: Equatable {
    /// Bytes of bodies and mails on their way and while they are handled, and of answers that wait to be read: a quarter.
    let bodies: Int
    /// Bytes of the journals of all worlds: an eighth.
    let journals: Int
    /// Bytes of the messages of all worlds in memory, which are part of ``pages``: an eighth.
    let outboxes: Int
    /// Bytes of what worlds in memory and their snapshots have changed, their outboxes included: three eighths. Nil without a limit.
    let pages: Int?
    /// Open connections, each with up to 32 KiB beside its bodies where it speaks TLS: an eighth.
    let connections: Int
    let worlds: Int
    /// Threads that handlers may hold while they wait for another server.
    let threads: Int
    /// Bytes of one mail.
    let mail: Int
    /// Bytes of one mail times its recipients.
    let mailCopies: Int

    /// As if there were so much, where there is no limit.
    private static let nominal = 1 << 30

    /// - Parameters:
    ///   - limit: bytes; nil without one.
    ///   - bodies: where the user has said so.
    init(limit: Int?, bodies chosen: Int? = nil) {
        let memory = min(limit ?? Self.nominal, Self.nominal)
        bodies = chosen ?? memory / 4
        journals = memory / 8
        outboxes = memory / 8
        pages = limit.map { $0 / 8 * 3 }
        connections = min(4096, max(64, (memory / 8) >> 15))
        worlds = limit == nil ? 20_000 : min(20_000, max(100, memory >> 16))
        // Each has a stack of half a mebibyte or more.
        threads = limit == nil ? 1088 : min(1088, max(16, memory >> 21))
        mail = min(10 << 20, bodies / 8)
        mailCopies = min(64 << 20, outboxes / 2)
    }

    func apply(to limits: inout Limits) {
        (limits.bodyMemory, limits.connections, limits.handlerThreads) = (bodies, connections, threads)
    }

    func apply(to limits: inout MailLimits) {
        (limits.messageBytes, limits.copiesBytes) = (mail, mailCopies)
        limits.connections = min(limits.connections, connections)
    }

    func apply(to settings: inout Worlds.Settings) {
        settings.worldLimit = worlds
        settings.journals = KeptBudget(most: journals)
        settings.outboxes = KeptBudget(most: outboxes)
    }
}
