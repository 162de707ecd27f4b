/// What the program tells the console about itself.
package struct ConsoleInfo: Sendable {
    package var version: String
    /// In the order in which pages show them.
    package var platforms: [PlatformCard]
    /// Numeric addresses of this machine at which other devices reach the listeners; empty when only loopback listens.
    package var lanAddresses: [String]
    /// Whether every listener is bound and the fixtures are in.
    package var isReady: @Sendable () -> Bool
    /// Why worlds cannot be written where they are kept: a sentence; nil when they can.
    package var storageFault: @Sendable () -> String?

    package init(
        version: String, platforms: [PlatformCard], lanAddresses: [String] = [],
        isReady: @escaping @Sendable () -> Bool = { true },
        storageFault: @escaping @Sendable () -> String? = { nil }
    ) {
        self.version = version
        self.platforms = platforms
        self.lanAddresses = lanAddresses
        self.isReady = isReady
        self.storageFault = storageFault
    }
}
