import HTTP
import PlatformKit

extension Console {
    struct InfoOutput: Encodable {
        struct Platform: Encodable {
            let name: String
            let title: String
            let urls: URLs
        }

        struct URLs: Encodable {
            /// As the caller reached us.
            let this: String
            /// At a host name of the platform's own; left out, like the others, where it does not work.
            let host: String?
            /// At the root of a port of its own.
            let port: String?
            let simulator: String?
            let emulator: String?
            let lan: [String]
            let container: String?
        }

        let version: String
        let instance: String?
        let world: String
        let now: String
        let frozen: Bool
        let people: [Person]
        let platforms: [Platform]
        let worlds: [String]
        /// Commands that make `localhost` on an Android emulator or device this machine.
        let adbReverse: [String]
        /// Where back ends send mail; left out without `--smtp-port`.
        let smtp: String?
    }

    /// `GET /info`: what a newcomer wants to know of this world: who lives in it, and where its platforms are.
    func describe(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let addresses = WorldAddresses(request, info)
        return try .json(
            InfoOutput(
                version: info.version, instance: info.instance, world: world.name,
                now: Timestamp.text(world.clock.now), frozen: world.clock.isFrozen,
                people: try world.people.all(),
                platforms: info.platforms.map { card($0, world, request) }, worlds: worlds.names,
                adbReverse: addresses.reverse, smtp: addresses.smtp))
    }

    private func card(_ card: any Platform.Type, _ world: World, _ request: Request) -> InfoOutput.Platform {
        let addresses = WorldAddresses(request, info)
        let mount = card.mountPaths.first ?? card.name
        return InfoOutput.Platform(
            name: card.name, title: card.title,
            urls: InfoOutput.URLs(
                this: addresses.url(mount, in: world.name), host: addresses.hostName(mount, in: world.name),
                port: addresses.port(mount, in: world.name),
                simulator: addresses.simulator(mount, in: world.name),
                emulator: addresses.emulator(mount, in: world.name),
                lan: addresses.lan(mount, in: world.name),
                container: addresses.container(mount, in: world.name)))
    }
}
