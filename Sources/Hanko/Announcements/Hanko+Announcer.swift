import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// Who tells of what `request` does.
    func announcer(_ request: Request) throws -> Announcer {
        Announcer(world: world, configuration: try configuration(), request: request)
    }
}
