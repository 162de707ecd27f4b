import Synchronization

/// The ports at which the server listens, known once it does: the main one, and those at whose root a platform or a world stands.
package final class ListeningPorts: Sendable {
    private struct Places {
        var main: Int?
        var ports: [String: Int] = [:]
        var areKnown = false
    }

    private let places = Mutex(Places())
    /// No port is 0.
    private let mailPort = Atomic<Int>(0)

    package init() {}

    /// Said once; what is said later is not heard.
    ///
    /// - Parameter ports: by the name of the door: `app`, `blue/hanko`, `blue`.
    package func set(main: Int?, ports: [String: Int]) {
        places.withBriefLock { if !$0.areKnown { $0 = Places(main: main, ports: ports, areKnown: true) } }
    }

    /// Says where mail is taken, once it is.
    package func set(mail port: Int?) { mailPort.store(port ?? 0, ordering: .relaxed) }

    /// Where SMTP is spoken; nil where no mail is taken.
    package var mail: Int? {
        let port = mailPort.load(ordering: .relaxed)
        return port == 0 ? nil : port
    }

    package var main: Int? { places.withBriefLock(\.main) }
    package var ports: [String: Int] { places.withBriefLock(\.ports) }

    /// The name of the door of a platform in a world; for all platforms of it without `mount`.
    package static func name(world: String, mount: String? = nil) -> String {
        guard let mount else { return world }
        return world == Worlds.defaultName ? mount : world + "/" + mount
    }
}

/// Where a door leads to: a platform, in the default world or another, or all platforms of a world.
package struct Doorway: Sendable, Equatable {
    /// Nil for the default one.
    package let world: String?
    /// Nil for all platforms.
    package let mount: String?

    /// Whether all platforms of a world are behind it.
    var isWhole: Bool { mount == nil }

    /// - Parameter name: `app`, `blue/hanko` or `blue`; what is called like a platform is the platform.
    /// - Returns: nil for what is neither.
    package init?(_ name: String, mounts: Set<String>) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        switch parts.count {
        case 1 where mounts.contains(name): (world, mount) = (nil, name)
        case 1 where WorldName.isOne(name): (world, mount) = (name, nil)
        case 2 where WorldName.isOne(parts[0]) && mounts.contains(parts[1]):
            (world, mount) = (parts[0] == Worlds.defaultName ? nil : parts[0], parts[1])
        default: return nil
        }
    }
}
