package import PlatformKit

/// Who reaches the listeners, and how.
package struct Reach: Sendable {
    /// This machine by `localhost`, with what leads there: the simulator, the emulator's 10.0.2.2, `adb reverse`.
    package var isOnLoopback: Bool
    /// Every network of this machine, that of its containers too.
    package var isEverywhere: Bool
    /// Whether plain HTTP is refused.
    package var takesTLSOnly: Bool
    /// Addresses of ours for which the development CA may not sign.
    package var unsigned: Set<String>

    package init(
        isOnLoopback: Bool = true, isEverywhere: Bool = false, takesTLSOnly: Bool = false,
        unsigned: Set<String> = []
    ) {
        (self.isOnLoopback, self.isEverywhere, self.takesTLSOnly) = (isOnLoopback, isEverywhere, takesTLSOnly)
        self.unsigned = unsigned
    }
}

/// What the program tells the console about itself.
package struct ConsoleInfo: Sendable {
    package var version: String
    /// Which of several programs behind one proxy this is; nil when nobody said so.
    package var instance: String?
    /// In the order in which pages show them.
    package let platforms: [any Platform.Type]
    /// First path segments of all platforms, in their order.
    let mounts: [String]
    /// Numeric addresses of this machine at which other devices reach the listeners; empty when only loopback listens.
    package var lanAddresses: [String]
    /// Who reaches the listeners otherwise.
    package var reach: Reach
    /// Ports beside the main one.
    package var doors: ListeningPorts
    /// The development CA that signs what we show over TLS; nil without one.
    package var authority: AuthorityProfile?
    /// Whether every listener is bound and the fixtures are in.
    package var isReady: @Sendable () -> Bool
    /// What platforms answered.
    package var counts: RequestCounts
    /// How the program is doing.
    package var figures: @Sendable () -> ProgramFigures
    /// Where answers that are as long as their world is large get their memory.
    package var work: WorkMemory
    /// Why worlds cannot be written where they are kept: a sentence; nil when they can.
    package var storageFault: @Sendable () -> String?
    /// The JSON Schema of fixture files; nil in a program that carries none.
    package var fixtureSchema: @Sendable () -> [UInt8]?

    package init(
        version: String, instance: String? = nil, platforms: [any Platform.Type], lanAddresses: [String] = [],
        reach: Reach = Reach(), doors: ListeningPorts = ListeningPorts(),
        authority: AuthorityProfile? = nil, work: WorkMemory = .unlimited,
        counts: RequestCounts = RequestCounts(),
        figures: @escaping @Sendable () -> ProgramFigures = { ProgramFigures() },
        isReady: @escaping @Sendable () -> Bool = { true },
        storageFault: @escaping @Sendable () -> String? = { nil },
        fixtureSchema: @escaping @Sendable () -> [UInt8]? = { nil }
    ) {
        self.version = version
        self.instance = instance
        self.platforms = platforms
        mounts = platforms.flatMap { $0.mountPaths }
        self.lanAddresses = lanAddresses
        self.authority = authority
        self.reach = reach
        self.doors = doors
        self.work = work
        self.counts = counts
        self.figures = figures
        self.isReady = isReady
        self.storageFault = storageFault
        self.fixtureSchema = fixtureSchema
    }
}
